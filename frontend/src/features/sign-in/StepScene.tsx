import type { ReactNode } from "react";
import { deferModule } from "@/lib/defer-module";

const glass = deferModule(() => import("./StepGlass"));

/** A glass on the counter, which fills from step to step. `fill` is from 0 to 1. Hidden for large text. */
export function StepScene({ fill }: { fill: number }): ReactNode {
  const module = glass.use();
  return (
    <div aria-hidden="true" className="counter-scene large-text:hidden relative mt-2 h-48 overflow-hidden">
      <div className="absolute inset-x-0 bottom-0 h-7 border-line border-b bg-counter" />
      {module && <module.default fill={fill} />}
    </div>
  );
}
