import { Link } from "@tanstack/react-router";
import Clock from "lucide-react/icons/clock";
import type { ReactNode } from "react";
import { buttonVariants } from "@/ui/button-variants";
import { Notice } from "@/ui/Notice";
import type { StoreProblem } from "./store-problem";

interface StoreProblemNoticeProps {
  problem: StoreProblem;
  /** Whether the title is above the notice. */
  titled?: boolean;
  /** Whether the store offers later pickup times. */
  hasTimes: boolean;
}

/** Explains why the store does not make the order now, and what to do. */
export function StoreProblemNotice({
  problem: { title, text },
  titled = false,
  hasTimes,
}: StoreProblemNoticeProps): ReactNode {
  return (
    <Notice icon={Clock} action={<FindStoreLink variant="link" />}>
      {!titled && <b className="t-small-strong block">{title}</b>}
      {text} {hasTimes ? "Choose a later pickup time, or pick another store." : "Please pick another store."}
    </Notice>
  );
}

export function FindStoreLink({ variant }: { variant: "link" | "solid" }): ReactNode {
  return (
    <Link to="/explore" className={buttonVariants(variant, { big: variant === "solid" })}>
      Find another store
    </Link>
  );
}
