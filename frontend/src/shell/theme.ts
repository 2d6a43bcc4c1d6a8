import { device } from "@/state/device";

/** Colors of the browser's toolbar. */
const TOOLBAR_COLORS = { light: "#f6f0e6", dark: "#16100c" };

/** Applies the chosen theme to the page, now and on each change. */
export function followTheme(): void {
  const apply = () => {
    const choice = device.theme.get();
    const root = document.documentElement;
    root.toggleAttribute("data-theme", choice !== "system");
    if (choice !== "system") root.dataset.theme = choice;
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      const system = meta.media.includes("dark") ? "dark" : "light";
      meta.content = TOOLBAR_COLORS[choice === "system" ? system : choice];
    }
  };
  apply();
  device.theme.subscribe(apply);
}
