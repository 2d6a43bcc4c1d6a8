import type { ReactNode } from "react";

/** Two cups from above that form the letters o and a. */
export function Logo({ height = 22 }: { height?: number }): ReactNode {
  return (
    <svg
      role="img"
      aria-label="Order Ahead"
      viewBox="-24.5 -13 49 26"
      height={height}
      width={(height * 49) / 26}
      fill="none"
      stroke="currentColor"
      strokeWidth="4"
      strokeLinecap="round"
    >
      <circle cx="-11.2" r="10.8" />
      <circle cx="9.4" r="10.8" />
      <path d="M20.2-10.8V10.8" />
    </svg>
  );
}
