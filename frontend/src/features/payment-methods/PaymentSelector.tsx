import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Money } from "@/lib/money";
import { device } from "@/state/device";
import { useItem } from "@/state/device-item";
import type { Option } from "@/ui/SelectOptions";
import { SelectSheet } from "@/ui/SelectSheet";
import { sortMethods } from "./choose-method";
import { DefaultTag } from "./DefaultTag";
import { formatMethodDetail, formatMethodName } from "./format";
import { MethodIcon, NewMethodIcon } from "./MethodIcon";
import type { PaymentMethod } from "./queries";

interface PaymentSelectorProps {
  /** "Pay with" if absent. */
  title?: string;
  methods: readonly PaymentMethod[];
  value: PaymentMethod | undefined;
  onChange: (method: PaymentMethod) => void;
  /** The entry that adds a method: any kind, or only a credit card. */
  adds?: "any" | "card";
  /** The amount to pay, to show the balance after the payment. */
  total?: Money | undefined;
  userId: string;
  /** The path to return to after adding a method. */
  next: string;
  error?: string | undefined;
  /** Called when the consumer leaves to add a method. */
  onLeave?: () => void;
}

/**
 * The payment method selector of specification section 2, with a link to add a method. The one of the last order follows those with
 * stored value.
 */
export function PaymentSelector(props: PaymentSelectorProps): ReactNode {
  const { methods, value, onChange, total, error } = props;
  const preferred = useItem(device.preferredPaymentMethod) ?? undefined;
  const options: Option[] = sortMethods(methods, preferred).map((method) => ({
    value: method.paymentMethodId,
    label: formatMethodName(method),
    detail: <span className="num">{formatMethodDetail(method, total)}</span>,
    prefix: <MethodIcon method={method} />,
    suffix: method.isDefault && <DefaultTag />,
    disabled: method.expired,
  }));
  return (
    <SelectSheet
      title={props.title ?? "Pay with"}
      options={[...options, newMethodOption(props)]}
      value={value?.paymentMethodId ?? null}
      titleHidden
      error={error}
      onConfirm={(id) => {
        const chosen = methods.find(({ paymentMethodId }) => paymentMethodId === id);
        if (chosen) onChange(chosen);
      }}
      summary={
        value && (
          <>
            <span className="flex flex-wrap items-center gap-x-2">
              <span className="min-w-0">{formatMethodName(value)}</span> {value.isDefault && <DefaultTag />}
            </span>{" "}
            <span className="t-small num block text-ink-2">{formatMethodDetail(value, total)}</span>
          </>
        )
      }
    />
  );
}

/** Disabled as an option, as specified. Its link adds a method. */
function newMethodOption({ adds = "any", userId, next, onLeave }: PaymentSelectorProps): Option {
  const isCard = adds === "card";
  return {
    value: "new",
    label: isCard ? "New credit card" : "New payment method",
    disabled: true,
    prefix: <NewMethodIcon />,
    detail: (
      <Link
        to={isCard ? "/account/add-credit-card" : "/account/add-payment"}
        search={{ userId, next }}
        onClick={onLeave}
        className="t-small-strong inline-flex min-h-target items-center text-accent"
      >
        {isCard ? "Add a card" : "Add a card or bank account"}
      </Link>
    ),
  };
}
