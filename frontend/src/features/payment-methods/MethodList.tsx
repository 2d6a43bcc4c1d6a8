import Ellipsis from "lucide-react/icons/ellipsis";
import type { ReactNode } from "react";
import { modals } from "@/shell/modals";
import { IconButton } from "@/ui/IconButton";
import { isSaveable, sortMethods } from "./choose-method";
import { DefaultTag } from "./DefaultTag";
import { formatMethodDetail, formatMethodName } from "./format";
import { MethodIcon } from "./MethodIcon";
import type { PaymentMethod } from "./queries";

interface MethodListProps {
  methods: readonly PaymentMethod[];
  /** What else the removal of a method changes. */
  removalNote: (method: PaymentMethod) => ReactNode;
}

/** The payment methods of the consumer. Saved methods can be edited. */
export function MethodList({ methods, removalNote }: MethodListProps): ReactNode {
  return (
    <ul aria-label="Payment methods" className="divide-y divide-line">
      {sortMethods(methods).map((method) => (
        <li key={method.id} className="flex min-h-16 items-center gap-3 py-2">
          <MethodIcon method={method} />
          <div className="min-w-0 flex-1">
            <p className="t-strong flex flex-wrap items-center gap-x-2">
              <span className="min-w-0">{formatMethodName(method)}</span>
              {method.isDefault && <DefaultTag />}
            </p>
            <p className={`t-small num ${method.expired ? "text-danger" : "text-ink-2"}`}>
              {formatMethodDetail(method)}
            </p>
          </div>
          {isSaveable(method) && (
            <IconButton
              icon={Ellipsis}
              label={`Edit ${formatMethodName(method)}`}
              onClick={() =>
                modals.load(`method-${method.id}`, () => import("./MethodSheet"), {
                  method,
                  removalNote: removalNote(method),
                })
              }
            />
          )}
        </li>
      ))}
    </ul>
  );
}
