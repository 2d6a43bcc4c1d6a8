import type { ReactNode } from "react";
import type { ArtProps } from "./SvgText";

/** Takes the place of a drawing until its code is loaded. */
export function ArtPlaceholder({ width, className }: Pick<ArtProps, "width" | "className">): ReactNode {
  return <span className={className} style={{ display: "block", ...(width && { width }) }} />;
}
