import { Link } from "@tanstack/react-router";
import Plus from "lucide-react/icons/plus";
import type { ReactNode } from "react";

/** The button on the JoePass that opens the screen to add funds. */
export function AddFundsLink(): ReactNode {
  return (
    <Link
      to="/wallet/add-funds"
      className="t-strong inline-flex min-h-target items-center gap-2 rounded-pill bg-inverse-accent pr-4.5 pl-3.5 text-inverse-on-accent"
    >
      <Plus aria-hidden="true" size={20} /> Add funds
    </Link>
  );
}
