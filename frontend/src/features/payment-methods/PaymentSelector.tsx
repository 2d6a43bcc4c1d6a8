import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Money } from "@/lib/money";
import type { Option } from "@/ui/SelectOptions";
import { SelectSheet } from "@/ui/SelectSheet";
import { Tag } from "@/ui/Tag";
import { sortMethods } from "./choose-method";
import { formatMethodDetail, formatMethodName } from "./format";
import { MethodIcon, NewMethodIcon } from "./MethodIcon";
import type { PaymentMethod } from "./queries";

interface PaymentSelectorProps {
  methods: readonly PaymentMethod[];
  value: PaymentMethod | undefined;
  onChange: (method: PaymentMethod) => void;
  /** The amount to pay, to show what is left of a balance. */
  total?: Money | undefined;
  userId: string;
  /** The path to return to after adding a card. */
  next: string;
  error?: string | undefined;
}

/** The payment method selector of specification section 2, with a link to add a card. */
export function PaymentSelector(props: PaymentSelectorProps): ReactNode {
  const { methods, value, onChange, total, userId, next, error } = props;
  const options: Option[] = [
    ...sortMethods(methods).map((method) => ({
      value: method.paymentMethodId,
      label: formatMethodName(method),
      detail: <span className="num">{formatMethodDetail(method, total)}</span>,
      prefix: <MethodIcon method={method} />,
      suffix: method.isDefault && <Tag>Default</Tag>,
      disabled: method.expired,
    })),
    {
      value: "new",
      label: "New credit card",
      // Disabled as an option; the link below adds a card.
      disabled: true,
      prefix: <NewMethodIcon />,
      detail: (
        <Link
          to="/account/add-credit-card"
          search={{ userId, next }}
          className="t-small-strong inline-flex min-h-target items-center text-accent"
        >
          Add a card
        </Link>
      ),
    },
  ];
  return (
    <SelectSheet
      title="Pay with"
      options={options}
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
            <span className="flex flex-wrap items-center gap-2">
              {formatMethodName(value)} {value.isDefault && <Tag>Default</Tag>}
            </span>{" "}
            <span className="t-small num block text-ink-2">{formatMethodDetail(value, total)}</span>
          </>
        )
      }
    />
  );
}
