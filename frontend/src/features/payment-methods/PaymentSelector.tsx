import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Money } from "@/lib/money";
import type { Option } from "@/ui/SelectOptions";
import { SelectSheet } from "@/ui/SelectSheet";
import { Tag } from "@/ui/Tag";
import { sortMethods } from "./choose-method";
import { detailOf, nameOf } from "./format";
import { MethodIcon, NewMethodIcon } from "./MethodIcon";
import type { PaymentMethod } from "./queries";

interface PaymentSelectorProps {
  methods: readonly PaymentMethod[];
  value: PaymentMethod | undefined;
  onChange: (method: PaymentMethod) => void;
  /** What is to be paid, so that balances say what they leave. */
  total?: Money | undefined;
  userId: string;
  /** The page to come back to with a new card. */
  next: string;
  error?: string | undefined;
}

/** The specification's payment method selector: what there is, what each leaves, and the way to a new card. */
export function PaymentSelector(props: PaymentSelectorProps): ReactNode {
  const { methods, value, onChange, total, userId, next, error } = props;
  const options: Option[] = [
    ...sortMethods(methods).map((method) => ({
      value: method.paymentMethodId,
      label: nameOf(method),
      detail: <span className="num">{detailOf(method, total)}</span>,
      prefix: <MethodIcon method={method} />,
      suffix: method.isDefault && <Tag>Default</Tag>,
      disabled: method.expired,
    })),
    {
      value: "new",
      label: "New credit card",
      // Disabled as a value; the way there is a link of its own.
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
              {nameOf(value)} {value.isDefault && <Tag>Default</Tag>}
            </span>{" "}
            <span className="t-small num block text-ink-2">{detailOf(value, total)}</span>
          </>
        )
      }
    />
  );
}
