import { valibotResolver } from "@hookform/resolvers/valibot";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import * as v from "valibot";
import { errorMessage, isUnauthorized } from "@/api/errors";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { Logo } from "@/ui/Logo";
import "./console.css";
import { OrderRecords } from "./OrderRecords";
import { useOrderTimeline } from "./order-timeline";

const schema = v.object({
  operatorKey: v.pipe(v.string(), v.trim(), v.nonEmpty("Enter your operator key.")),
  orderId: v.pipe(v.string(), v.trim(), v.nonEmpty("Enter the order ID.")),
});

/** Shows operators what all services recorded about an order. The key stays in this form. */
export function OrderXray(): ReactNode {
  const form = useForm({
    resolver: valibotResolver(schema),
    defaultValues: { operatorKey: "", orderId: "" },
  });
  const timeline = useOrderTimeline();
  const submit = form.handleSubmit((values) =>
    timeline.mutate(values, {
      onError: (error) => {
        const field = isUnauthorized(error) ? "operatorKey" : "orderId";
        form.setError(field, { message: errorMessage(error) });
      },
    }),
  );
  const { errors } = form.formState;
  return (
    <main className="console-page">
      <Logo height={22} />
      <h1 tabIndex={-1} className="t-display mt-6">
        Order records
      </h1>
      <p className="mt-2 text-ink-2">For operators: everything our services recorded about one order.</p>
      <form onSubmit={submit} noValidate className="console-xray">
        <TextInput
          label="Operator key"
          error={errors.operatorKey?.message}
          type="password"
          autoComplete="current-password"
          {...form.register("operatorKey")}
        />
        <TextInput
          label="Order ID"
          error={errors.orderId?.message}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="ord_…"
          {...form.register("orderId")}
        />
        <Button big type="submit" busy={timeline.isPending}>
          Show records
        </Button>
      </form>
      {timeline.data && <OrderRecords timeline={timeline.data} />}
    </main>
  );
}
