import { useEffect, useRef, useState } from "react";
import type { DrinkParams } from "./drink";
import { interpolate } from "./interpolate";

/** The duration of `--d-pour`. */
const DURATION_MS = 900;

/** Eases in and out. */
const ease = (t: number): number => t * t * (3 - 2 * t);

const prefersReducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Animates changes of `target`: size, layers and fill level. Returns `target` itself with reduced motion or without `animate`. */
export function useAnimatedDrink(target: DrinkParams, animate: boolean): DrinkParams {
  const [shown, setShown] = useState(target);
  const latest = useRef(target);
  // Compared as text, because callers create new objects on every render.
  const targetJson = JSON.stringify(target);

  useEffect(() => {
    const to = JSON.parse(targetJson) as DrinkParams;
    const from = latest.current;
    const show = (drink: DrinkParams) => {
      latest.current = drink;
      setShown(drink);
    };
    if (!animate) {
      latest.current = to;
      return;
    }
    if (from.vessel !== to.vessel || JSON.stringify(from) === targetJson || prefersReducedMotion()) {
      show(to);
      return;
    }
    const start = performance.now();
    let frame = requestAnimationFrame(function step(now: number) {
      const t = Math.min(1, Math.max(0, now - start) / DURATION_MS);
      show(interpolate(from, to, ease(t)));
      if (t < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [targetJson, animate]);

  return animate ? shown : target;
}
