import type { LucideIcon, LucideProps } from "lucide-react/types";
import { createElement, type ReactNode } from "react";

interface IconData {
  node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

/**
 * Creates an icon component from its outline. The build substitutes it for the icon library's own function, which is larger and
 * supports contexts and class names that the app does not use (see `vite.config.ts`).
 */
export default function createIcon({ node }: IconData): LucideIcon {
  // React 19 passes a ref as a property; the library's type predates that.
  return ((props: LucideProps) => renderIcon(node, props)) as unknown as LucideIcon;
}

function renderIcon(node: IconData["node"], { size = 24, strokeWidth = 2, ...rest }: LucideProps): ReactNode {
  return createElement(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: "0 0 24 24",
      width: size,
      height: size,
      fill: "none",
      stroke: "currentColor",
      strokeWidth,
      strokeLinecap: "round",
      strokeLinejoin: "round",
      ...rest,
    },
    node.map(([tag, attributes]) => createElement(tag, attributes)),
  );
}
