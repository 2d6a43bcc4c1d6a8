import { device } from "@/state/device";

/** Grounds of the two themes, for the browser's own bar. */
const GROUND = { light: "#f6f0e6", dark: "#16100c" };

/** Puts the person's choice of theme on the page, now and on each change. */
export function followTheme(): void {
  const apply = () => {
    const choice = device.theme.get();
    const root = document.documentElement;
    root.toggleAttribute("data-theme", choice !== "system");
    if (choice !== "system") root.dataset.theme = choice;
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
      const system = meta.media.includes("dark") ? "dark" : "light";
      meta.content = GROUND[choice === "system" ? system : choice];
    }
  };
  apply();
  device.theme.subscribe(apply);
}
