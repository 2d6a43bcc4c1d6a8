import type { ReactNode } from "react";
import { Tag } from "@/ui/Tag";

/** Marks the default method. Keeps its width next to a name, and moves below a long one. */
export function DefaultTag(): ReactNode {
  return (
    <span className="shrink-0">
      <Tag>Default</Tag>
    </span>
  );
}
