import type { ReactNode } from "react";
import { Tag } from "@/ui/Tag";

/** Marks the default method. Keeps its width beside a long name, which wraps instead. */
export function DefaultTag(): ReactNode {
  return (
    <span className="shrink-0">
      <Tag>Default</Tag>
    </span>
  );
}
