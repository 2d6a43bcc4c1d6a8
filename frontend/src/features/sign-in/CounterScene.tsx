import type { ReactNode } from "react";
import { deferModule } from "@/lib/defer-module";
import { Logo } from "@/ui/Logo";

const drinks = deferModule(() => import("./CounterDrinks"));

/** The picture of the sign-in screen. Its drawings load after the text. Only the logo for large text. */
export function CounterScene(): ReactNode {
  const module = drinks.use();
  return (
    <div className="counter-scene relative h-[min(380px,44dvh)] min-h-72 overflow-hidden large-text:h-22 large-text:min-h-0">
      <div className="absolute inset-x-0 top-7 grid place-items-center text-ink">
        <Logo height={30} />
      </div>
      <div className="large-text:hidden">
        <div className="absolute inset-x-0 bottom-0 h-9 border-line border-b bg-counter" />
        {module && <module.default />}
      </div>
    </div>
  );
}
