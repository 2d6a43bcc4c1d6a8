import { useId } from "react";

/** The common props of drawings. */
export interface ArtProps {
  /** The accessible description. Without it the drawing is hidden from screen readers. */
  title?: string | undefined;
  /** The width in CSS px. Details are omitted below 72. */
  width?: number | undefined;
  /** A viewBox that crops the 240 x 300 sheet, for example `24 14 192 280`. */
  box?: string | undefined;
  className?: string | undefined;
}

const SMALL_WIDTH = 72;

export const chooseDetail = (width: number | undefined): "small" | "full" =>
  width !== undefined && width < SMALL_WIDTH ? "small" : "full";

/** Returns a unique prefix for the ids in a drawing. */
export const useDrawingId = (): string => `art${useId().replace(/\W/g, "")}_`;

/** Renders the SVG text of a drawing. The SVG fills the box set by `className` or `width`. */
export function SvgText({
  text,
  width,
  className,
}: { text: string } & Pick<ArtProps, "width" | "className">) {
  return (
    <span
      className={className}
      style={{ display: "block", ...(width === undefined ? {} : { width }) }}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the drawing functions create the text and escape the title
      dangerouslySetInnerHTML={{ __html: text }}
    />
  );
}
