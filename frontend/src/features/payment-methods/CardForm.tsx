import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import type { CardChange, CardElement, Provider } from "@/provider/provider";

interface CardFormProps {
  provider: Provider;
  /** The element, to confirm with; null while it is not there. */
  onElement: (element: CardElement | null) => void;
  onChange: (change: CardChange) => void;
  error: string | undefined;
}

/** The provider's card element in our look. What is typed into it never reaches this page. */
export function CardForm({ provider, onElement, onChange, error }: CardFormProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState(false);
  const id = useId();
  const [latest] = useState({ onElement, onChange });
  useEffect(() => {
    latest.onElement = onElement;
    latest.onChange = onChange;
  });
  useEffect(() => {
    if (!box.current) return;
    const element = provider.elements().create("card", { style: styleOf(box.current) });
    element.on("change", (change) => latest.onChange(change));
    element.on("focus", () => setFocused(true));
    element.on("blur", () => setFocused(false));
    element.on("ready", () => latest.onElement(element));
    element.mount(box.current);
    return () => {
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
        <div ref={box} className="min-h-16.5" />
      </div>
      <p id={`${id}-error`} role="alert" className="t-small mt-2 min-h-5 text-danger">
        {error}
      </p>
    </fieldset>
  );
}

/** Our own type and ink, as colours that another page's frame can use. */
function styleOf(where: HTMLElement) {
  const ours = getComputedStyle(where);
  const ink = (name: string) => {
    const probe = document.createElement("span");
    probe.style.color = `var(${name})`;
    where.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  return {
    base: {
      color: ink("--ink"),
      fontFamily: ours.fontFamily,
      fontSize: "17px",
      fontWeight: "500",
      iconColor: ink("--accent"),
      "::placeholder": { color: ink("--ink-3") },
    },
    invalid: { color: ink("--danger") },
  };
}
