import type { ReactNode } from "react";
import type { ArtProps } from "./SvgText";

/** Where a drawing will be once its code has come. */
export function ArtPlaceholder({ width, className }: Pick<ArtProps, "width" | "className">): ReactNode {
  return <span className={className} style={{ display: "block", ...(width && { width }) }} />;
}
