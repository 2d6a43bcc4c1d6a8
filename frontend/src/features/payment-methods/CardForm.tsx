import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import figtree from "@/assets/fonts/figtree-text.woff2?url";
import type { CardChange, CardElement, Provider } from "@/provider/provider";

interface CardFormProps {
  provider: Provider;
  /** Called with the mounted element, and with null when it is destroyed. */
  onElement: (element: CardElement | null) => void;
  onChange: (change: CardChange) => void;
  error: string | undefined;
}

/** The provider's card element. Card details are typed into the provider's frame and never reach this page. */
export function CardForm({ provider, onElement, onChange, error }: CardFormProps): ReactNode {
  const container = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(false);
  const id = useId();
  const [latest] = useState({ onElement, onChange });
  useEffect(() => {
    latest.onElement = onElement;
    latest.onChange = onChange;
  });
  useEffect(() => {
    const frame = container.current;
    if (!frame) return;
    const fonts = [
      { family: "Figtree Text", src: `url(${new URL(figtree, location.href)})`, weight: "400 700" },
    ];
    const element = provider.elements({ fonts }).create("card", { style: elementStyle(frame) });
    element.on("change", (change) => latest.onChange(change));
    element.on("focus", () => setFocused(true));
    element.on("blur", () => setFocused(false));
    element.on("ready", () => latest.onElement(element));
    element.mount(frame);
    // The colors are values, so they do not follow the theme.
    const theme = matchMedia("(prefers-color-scheme: dark)");
    const applyTheme = () => element.update({ style: elementStyle(frame) });
    theme.addEventListener("change", applyTheme);
    return () => {
      theme.removeEventListener("change", applyTheme);
      latest.onElement(null);
      element.destroy();
    };
  }, [provider, latest]);
  const edge = error
    ? "shadow-[inset_0_0_0_2px_var(--danger)]"
    : focused
      ? "shadow-[inset_0_0_0_2px_var(--accent),0_0_0_4px_var(--accent-soft)]"
      : "edge";
  return (
    <fieldset aria-describedby={`${id}-error`}>
      <legend className="t-small-strong mb-1.5">Card</legend>
      <div className={`rounded-choice bg-surface px-4 py-3.5 ${edge}`}>
        <div ref={container} className="min-h-16.5 font-medium text-[1.0625rem]" />
      </div>
      <p id={`${id}-error`} role="alert" className="t-small mt-2 min-h-5 text-danger">
        {error}
      </p>
    </fieldset>
  );
}

/** Returns the text style of the container, which is that of the app's inputs, and its colors as values for the provider's frame. */
function elementStyle(container: HTMLElement) {
  const { fontFamily, fontSize, fontWeight } = getComputedStyle(container);
  const resolveColor = (name: string) => {
    const probe = document.createElement("span");
    probe.style.color = `var(${name})`;
    container.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  return {
    base: {
      color: resolveColor("--ink"),
      fontFamily,
      fontSize,
      fontWeight,
      iconColor: resolveColor("--accent"),
      "::placeholder": { color: resolveColor("--ink-3") },
    },
    invalid: { color: resolveColor("--danger") },
  };
}
