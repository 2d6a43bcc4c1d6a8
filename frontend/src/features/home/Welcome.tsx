import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ItemArt } from "@/art/ItemArt";
import "./home.css";

const LATTE = { kind: "drink", base: "latte", iced: true, milk: "oat" };

/** For who is not signed in: what this is for, and the way in. Looking at stores and menus needs neither. */
export function Welcome(): ReactNode {
  return (
    <section aria-label="Sign in" className="running-order">
      <div className="running-order-words">
        <p className="t-title text-balance">Skip the line, not the coffee</p>
        <p className="t-small mt-2 mb-4 text-inverse-ink-2">
          Order ahead and walk in at the minute we promise.
        </p>
        <Link
          to="/sign-in/getting-started"
          className="t-strong inline-flex min-h-target items-center rounded-pill bg-inverse-accent px-5 text-inverse-on-accent"
        >
          Sign in
        </Link>
      </div>
      <div aria-hidden="true" className="running-order-cup">
        <ItemArt art={LATTE} selection={{ sizeIndex: 1 }} box="44 10 152 282" />
      </div>
    </section>
  );
}
