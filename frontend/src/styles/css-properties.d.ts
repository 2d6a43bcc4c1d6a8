import "react";

declare module "react" {
  interface CSSProperties {
    /** Custom properties, which component styles read. */
    [property: `--${string}`]: string | undefined;
  }
}
