import type { LucideIcon, LucideProps } from "lucide-react/types";
import { createElement, type ReactNode } from "react";

interface IconData {
  node: readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
}

/**
 * Makes an icon of its outline. The build puts it in the place of the icon library's own maker, which is larger than
 * all the icons of the first screen together and asks for contexts and names that nobody here gives.
 */
export default function createIcon({ node }: IconData): LucideIcon {
  // React passes a ref like any other property; the library's type is older than that.
  return ((props: LucideProps) => draw(node, props)) as unknown as LucideIcon;
}

function draw(node: IconData["node"], { size = 24, strokeWidth = 2, ...rest }: LucideProps): ReactNode {
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
