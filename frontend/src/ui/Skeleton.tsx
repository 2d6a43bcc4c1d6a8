import type { ReactNode } from "react";

/** A line of text that is still on its way; `className` sets its width, and its height where the text is large. */
export function SkeletonLine({ className = "w-2/3" }: { className?: string }): ReactNode {
  return <span aria-hidden="true" className={`skeleton block h-4 rounded-tag bg-sunk ${className}`} />;
}

/** A card, tile or picture that is still on its way. */
export function SkeletonBlock({ className = "h-24" }: { className?: string }): ReactNode {
  return <span aria-hidden="true" className={`skeleton block rounded-card bg-sunk ${className}`} />;
}

interface SkeletonCupProps {
  className?: string;
  /** Where the wall behind it is sunk itself, the cup stands out from it. */
  onStage?: boolean;
}

/** A cup's skeleton that touches the counter it will stand on. */
export function SkeletonCup({ className = "h-40", onStage = false }: SkeletonCupProps): ReactNode {
  const fill = onStage ? "fill-line" : "fill-sunk";
  return (
    <svg aria-hidden="true" viewBox="0 0 120 160" className={`skeleton ${fill} ${className}`}>
      <path d="M18 22c0-8 84-8 84 0l-10 128c-1 7-63 7-64 0Z" />
    </svg>
  );
}

/** Rows of a list that is still on its way. */
export function SkeletonRows({ count = 3 }: { count?: number }): ReactNode {
  return (
    <ul aria-hidden="true" className="divide-y divide-line">
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have nothing else to go by
        <li key={row} className="grid gap-2 py-4">
          <SkeletonLine className="w-1/2" />
          <SkeletonLine className="w-3/4" />
        </li>
      ))}
    </ul>
  );
}

/** Around a screen's skeletons: says once, to who cannot see them, that it loads. */
export function Loading({ label = "Loading", children }: { label?: string; children: ReactNode }): ReactNode {
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
