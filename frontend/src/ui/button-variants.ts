export type ButtonVariant = "solid" | "soft" | "line" | "link" | "danger";

const BASE =
  "relative inline-flex items-center justify-center gap-2 rounded-pill text-center text-balance transition-[background-color,transform,opacity] duration-fast [&>svg]:shrink-0 large-text:[&>svg]:hidden active:scale-[0.98] disabled:opacity-50 disabled:active:scale-100";

const VARIANTS: Record<ButtonVariant, string> = {
  solid: "bg-accent text-on-accent active:bg-accent-press",
  soft: "bg-accent-soft text-accent",
  line: "edge text-accent",
  link: "px-0 text-accent",
  danger: "edge text-danger",
};

/** Returns the classes of a button, also for links that look like one: `className={buttonVariants("solid")}`. */
export function buttonVariants(variant: ButtonVariant, { big = false }: { big?: boolean } = {}): string {
  const size = big ? "t-button min-h-bar w-full py-2" : "t-strong min-h-target py-1.5";
  // A big button is wider than its label. Little padding, so that "Place order · $12.40 · ready 8:40" fits the narrowest phone.
  const padding = variant === "link" ? "" : big ? "px-3" : "px-5";
  return `${BASE} ${size} ${padding} ${VARIANTS[variant]}`;
}
