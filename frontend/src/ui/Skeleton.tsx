import type { ReactNode } from "react";

/** Placeholder of a line of text. `className` sets its width and height. */
export function SkeletonLine({ className = "w-2/3" }: { className?: string }): ReactNode {
  return <span aria-hidden="true" className={`skeleton block h-4 rounded-tag bg-sunk ${className}`} />;
}

/** Placeholder of a card, tile or picture. */
export function SkeletonBlock({ className = "h-24" }: { className?: string }): ReactNode {
  return <span aria-hidden="true" className={`skeleton block rounded-card bg-sunk ${className}`} />;
}

interface SkeletonCupProps {
  className?: string;
  /** A stronger color, for a cup on a stage. */
  onStage?: boolean;
}

/** Placeholder of a drink. */
export function SkeletonCup({ className = "h-40", onStage = false }: SkeletonCupProps): ReactNode {
  const fill = onStage ? "fill-line" : "fill-sunk";
  return (
    <svg aria-hidden="true" viewBox="0 0 120 160" className={`skeleton ${fill} ${className}`}>
      <path d="M18 22c0-8 84-8 84 0l-10 128c-1 7-63 7-64 0Z" />
    </svg>
  );
}

/** Placeholder of a list. */
export function SkeletonRows({ count = 3 }: { count?: number }): ReactNode {
  return (
    <ul aria-hidden="true" className="divide-y divide-line">
      {Array.from({ length: count }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no ids
        <li key={row} className="grid gap-2 py-4">
          <SkeletonLine className="w-1/2" />
          <SkeletonLine className="w-3/4" />
        </li>
      ))}
    </ul>
  );
}

/** Wraps the skeletons of a screen and announces once that it loads. */
export function Loading({ label = "Loading", children }: { label?: string; children: ReactNode }): ReactNode {
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}
