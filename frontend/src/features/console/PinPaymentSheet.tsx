import { valibotResolver } from "@hookform/resolvers/valibot";
import { type ReactNode, useRef } from "react";
import { useForm } from "react-hook-form";
import * as v from "valibot";
import { ApiError, errorMessage, NetworkError } from "@/api/errors";
import { formatMoney, parseCents } from "@/lib/money";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { Sheet } from "@/ui/Sheet";
import { toast } from "@/ui/toast";
import { useRedeemCounterPin } from "./mutations";

const schema = v.object({
  pin: v.pipe(v.string(), v.trim(), v.regex(/^\d{4}$/, "Enter the four digits of the guest's PIN.")),
  amount: v.pipe(
    v.string(),
    v.check((text) => (parseCents(text) ?? 0) > 0, "Enter an amount, like 4.50."),
  ),
});

interface PinPaymentSheetProps {
  storeId: string;
  open: boolean;
  onClose: () => void;
}

/** Takes a payment at the counter with the PIN that a guest shows. */
export function PinPaymentSheet({ storeId, open, onClose }: PinPaymentSheetProps): ReactNode {
  const form = useForm({ resolver: valibotResolver(schema), defaultValues: { pin: "", amount: "" } });
  const redeem = useRedeemCounterPin(storeId);
  const idempotencyKey = useRef(crypto.randomUUID());
  const renewKey = () => {
    idempotencyKey.current = crypto.randomUUID();
  };
  const close = () => {
    renewKey();
    form.reset();
    onClose();
  };
  const submit = form.handleSubmit(({ pin, amount }) =>
    redeem.mutate(
      { pin, amount: parseCents(amount) ?? 0, idempotencyKey: idempotencyKey.current },
      {
        onSuccess: (payment) => {
          toast(`Paid ${formatMoney(payment.amount)} with JoePass.`, "success");
          close();
        },
        onError: (error) => {
          // The payment may have been taken: the same key repeats it without charging the guest twice.
          const isUnknown = !(error instanceof ApiError) || error.status >= 500;
          if (!isUnknown) renewKey();
          const field =
            error instanceof ApiError && error.reason === "INSUFFICIENT_BALANCE" ? "amount" : "pin";
          form.setError(field, { message: isUnknown ? formatUnknown(error) : errorMessage(error) });
        },
      },
    ),
  );
  const { errors } = form.formState;
  return (
    <Sheet
      title="JoePass payment"
      description="The guest opens JoePass in the app and shows you a PIN for this store."
      open={open}
      onClose={close}
    >
      <form onSubmit={submit} onChange={renewKey} noValidate className="grid gap-4 pt-2">
        <TextInput
          label="Guest's PIN"
          error={errors.pin?.message}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          {...form.register("pin")}
        />
        <TextInput
          label="Amount"
          prefix="$"
          error={errors.amount?.message}
          inputMode="decimal"
          autoComplete="off"
          {...form.register("amount")}
        />
        <Button big type="submit" busy={redeem.isPending}>
          Take payment
        </Button>
      </form>
    </Sheet>
  );
}

function formatUnknown(error: unknown): string {
  const problem = error instanceof NetworkError ? "We lost the connection." : "That didn't go through.";
  return `${problem} Tap again; the guest won't be charged twice.`;
}
