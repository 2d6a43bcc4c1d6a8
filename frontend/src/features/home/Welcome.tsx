import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import latte from "./welcome-latte.svg";
import "./home.css";

/** Introduces the app to signed-out consumers. */
export function Welcome(): ReactNode {
  return (
    <section aria-label="Sign in" className="active-order">
      <div className="active-order-text">
        <p className="t-title">Skip the line, not the coffee</p>
        <p className="t-small mt-2 mb-4 text-balance text-inverse-ink-2">
          Order ahead, and it's ready when you walk in.
        </p>
        <Link
          to="/sign-in/getting-started"
          className="t-strong inline-flex min-h-target items-center rounded-pill bg-inverse-accent px-5 text-inverse-on-accent"
        >
          Sign in
        </Link>
      </div>
      {/* A static file, so that a first visit does not load the drawing code. */}
      <div aria-hidden="true" className="active-order-cup">
        <img src={latte} alt="" />
      </div>
    </section>
  );
}
