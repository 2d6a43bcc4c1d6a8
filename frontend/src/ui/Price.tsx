import type { ReactNode } from "react";
import { formatMoney, type Money } from "@/lib/money";

/** An amount in tabular figures. */
export function Price({ value, bare = false }: { value: Money; bare?: boolean }): ReactNode {
  return <span className="num">{formatMoney(value, { bare })}</span>;
}
