import { type ReactNode, useId } from "react";

const RADIUS = 43;
const CIRCUMFERENCE = 2 * Math.PI * RADIUS;

interface PointsRingProps {
  value: number;
  /** The points of the next reward. The ring is full there. */
  goal: number;
  size?: number;
}

/** A cup from above. Its saucer is a progress ring. */
export function PointsRing({ value, goal, size = 84 }: PointsRingProps): ReactNode {
  const id = useId().replace(/\W/g, "");
  const share = goal > 0 ? Math.min(1, Math.max(0, value / goal)) : 1;
  return (
    <svg
      viewBox="0 0 100 100"
      width={size}
      height={size}
      role="img"
      aria-label={`${value} of ${goal} points`}
    >
      <defs>
        <radialGradient id={`${id}a`} cx=".4" cy=".36" r=".7">
          <stop offset="0" stopColor="#D9A163" />
          <stop offset=".7" stopColor="#B87B3F" />
          <stop offset="1" stopColor="#8A5226" />
        </radialGradient>
        <linearGradient id={`${id}b`} x1=".1" y1=".05" x2=".9" y2=".95">
          <stop offset="0" stopColor="#fff" />
          <stop offset=".6" stopColor="#F1E6D6" />
          <stop offset="1" stopColor="#D8C6AD" />
        </linearGradient>
      </defs>
      <g fill="none" strokeWidth="7">
        <circle cx="50" cy="50" r={RADIUS} className="stroke-crema-track" />
        {share > 0 && (
          <circle
            cx="50"
            cy="50"
            r={RADIUS}
            className="stroke-crema"
            strokeLinecap="round"
            strokeDasharray={`${CIRCUMFERENCE * share} ${CIRCUMFERENCE}`}
            transform="rotate(-90 50 50)"
          />
        )}
      </g>
      <path
        d="M70 33c6-5 12-3 11 2-1 4-6 6-10 8"
        fill="none"
        stroke="#D9C9B2"
        strokeWidth="5"
        strokeLinecap="round"
      />
      <path
        d="M70 32.4c6-5 11-3 10.400 1.400-1 4-6 6-10 8"
        fill="none"
        stroke="#FBF5EA"
        strokeWidth="3.4"
        strokeLinecap="round"
      />
      <circle cx="50.8" cy="51.4" r="27.500" fill="var(--art-shadow)" fillOpacity=".16" />
      <circle cx="50" cy="50" r="27" fill={`url(#${id}b)`} />
      <circle cx="50" cy="50" r="22.600" fill={`url(#${id}a)`} />
      <circle cx="50" cy="50" r="22.600" fill="none" stroke="#7A4520" strokeOpacity=".35" />
      <path
        d="M50 63c-5-5-15-10-13.500-18.500 1-5.500 10.500-6.500 13.500-.8 3-5.700 12.500-4.700 13.500.8C65 53 55 58 50 63Z"
        fill="#FDF4E6"
      />
      <path d="M50 62V46" stroke="#C98F55" strokeOpacity=".7" strokeWidth="1.2" strokeLinecap="round" />
    </svg>
  );
}
