import { createLink } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import { RowContent, type RowContentProps, rowClass } from "@/ui/Row";

type RowAnchorProps = RowContentProps & Omit<ComponentProps<"a">, "className" | "children">;

function RowAnchor({ icon, label, detail, suffix, ...anchor }: RowAnchorProps): ReactNode {
  return (
    <a {...anchor} className={rowClass}>
      <RowContent icon={icon} label={label} detail={detail} suffix={suffix} />
    </a>
  );
}

/** A row that leads to a screen, in a RowGroup. */
export const RowLink = createLink(RowAnchor);
