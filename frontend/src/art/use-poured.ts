import { useEffect, useRef, useState } from "react";
import type { DrinkParams } from "./drink";
import { interpolate } from "./interpolate";

/** The design's `--d-pour`, in milliseconds. */
const POUR = 900;

/** Starts and ends slowly, as a hand pours. */
const eased = (t: number): number => t * t * (3 - 2 * t);

const motionReduced = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Follows `target` at the pace of a pour: while a person customises, size, layers and level move to what
 * was chosen instead of jumping. Under reduced motion, and where `animate` is false, it is `target`.
 */
export function usePoured(target: DrinkParams, animate: boolean): DrinkParams {
  const [shown, setShown] = useState(target);
  const latest = useRef(target);
  // compared as text: callers build the parameters anew on every render
  const wanted = JSON.stringify(target);

  useEffect(() => {
    const to = JSON.parse(wanted) as DrinkParams;
    const from = latest.current;
    const show = (drink: DrinkParams) => {
      latest.current = drink;
      setShown(drink);
    };
    if (!animate) {
      latest.current = to;
      return;
    }
    if (from.vessel !== to.vessel || JSON.stringify(from) === wanted || motionReduced()) {
      show(to);
      return;
    }
    const start = performance.now();
    let frame = requestAnimationFrame(function step(now: number) {
      const t = Math.min(1, Math.max(0, now - start) / POUR);
      show(interpolate(from, to, eased(t)));
      if (t < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [wanted, animate]);

  return animate ? shown : target;
}
