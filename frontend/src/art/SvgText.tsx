import { useId } from "react";

/** What every drawing component takes besides its subject. */
export interface ArtProps {
  /** Spoken description of the whole picture; without it the picture is decoration and hidden from screen readers. */
  title?: string | undefined;
  /** Width on the screen in CSS pixels, where it is known: below 72 details are left out that nobody could see. */
  width?: number | undefined;
  /** A viewBox that crops the 240 x 300 sheet, as `24 14 192 280`. */
  box?: string | undefined;
  className?: string | undefined;
}

/** Below this width details are left out. */
const SMALL = 72;

export const detailAt = (width: number | undefined): "small" | "full" =>
  width !== undefined && width < SMALL ? "small" : "full";

/** A prefix for the ids inside a drawing that no other drawing on the page has. */
export const useDrawingId = (): string => `art${useId().replace(/\W/g, "")}_`;

/** Puts the text of a drawing on the page. The `svg` fills the box that `className` or `width` gives it. */
export function SvgText({
  text,
  width,
  className,
}: { text: string } & Pick<ArtProps, "width" | "className">) {
  return (
    <span
      className={className}
      style={{ display: "block", ...(width === undefined ? {} : { width }) }}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the text comes from our own drawing functions, which escape the one foreign string in it, the title
      dangerouslySetInnerHTML={{ __html: text }}
    />
  );
}
