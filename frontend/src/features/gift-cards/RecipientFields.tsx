import type { ReactNode } from "react";
import { limits } from "@/api/limits.gen";
import type { GiftCardPurchase, RecipientKind } from "@/state/purchases";
import { Field, TextInput } from "@/ui/Field";
import { SegmentedControl } from "@/ui/SegmentedControl";
import { latestDelivery, type PurchaseErrors } from "./purchase-request";

interface RecipientFieldsProps {
  purchase: GiftCardPurchase;
  onChange: (change: Partial<GiftCardPurchase>) => void;
  errors: PurchaseErrors;
  today: string;
}

/** Who gets the card, and for someone else how, when and with which message. */
export function RecipientFields({ purchase, onChange, errors, today }: RecipientFieldsProps): ReactNode {
  const { recipient } = purchase;
  const setRecipient = (change: Partial<GiftCardPurchase["recipient"]>) =>
    onChange({ recipient: { ...recipient, ...change } });
  return (
    <div className="grid gap-4">
      <SegmentedControl<"self" | "other">
        label="Who is it for?"
        value={recipient.kind === "self" ? "self" : "other"}
        options={[
          { value: "self", label: "For me" },
          { value: "other", label: "For someone else" },
        ]}
        onChange={(who) => setRecipient({ kind: who === "self" ? "self" : "phone" })}
      />
      {recipient.kind === "self" ? (
        <p className="t-small text-ink-2">It goes straight into your wallet.</p>
      ) : (
        <>
          <TextInput
            label="Their name (optional)"
            autoComplete="off"
            value={recipient.name}
            error={errors.name}
            onChange={(event) => setRecipient({ name: event.target.value })}
          />
          <SendTo
            kind={recipient.kind}
            value={recipient.value}
            error={errors.recipient}
            onChange={setRecipient}
          />
          <Message
            value={purchase.message}
            error={errors.message}
            onChange={(message) => onChange({ message })}
          />
          <Delivery
            value={purchase.deliverOn}
            error={errors.deliverOn}
            today={today}
            onChange={(deliverOn) => onChange({ deliverOn })}
          />
        </>
      )}
    </div>
  );
}

interface SendToProps {
  kind: Exclude<RecipientKind, "self">;
  value: string;
  error: string | undefined;
  onChange: (change: { kind?: RecipientKind; value: string }) => void;
}

function SendTo({ kind, value, error, onChange }: SendToProps): ReactNode {
  return (
    <div className="grid gap-3">
      <SegmentedControl<Exclude<RecipientKind, "self">>
        label="How should we send it?"
        value={kind}
        options={[
          { value: "phone", label: "Text message" },
          { value: "email", label: "Email" },
        ]}
        onChange={(next) => onChange({ kind: next, value: "" })}
      />
      {kind === "phone" ? (
        <TextInput
          label="Their phone number"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          value={value}
          error={error}
          onChange={(event) => onChange({ value: event.target.value })}
        />
      ) : (
        <TextInput
          label="Their email"
          type="email"
          inputMode="email"
          autoComplete="off"
          value={value}
          error={error}
          onChange={(event) => onChange({ value: event.target.value })}
        />
      )}
    </div>
  );
}

interface MessageProps {
  value: string;
  error: string | undefined;
  onChange: (message: string) => void;
}

function Message({ value, error, onChange }: MessageProps): ReactNode {
  const left = limits.giftMessageLength - value.length;
  return (
    <Field
      label="Message (optional)"
      error={error}
      hint={left <= 60 ? `${left} characters left` : "It's sent with the card."}
    >
      {(ids) => (
        <textarea
          {...ids}
          rows={2}
          maxLength={limits.giftMessageLength}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="edge field-sizing-content block max-h-48 min-h-20 w-full resize-none rounded-choice bg-surface px-4 py-3.5 outline-none focus:shadow-[inset_0_0_0_2px_var(--accent),0_0_0_4px_var(--accent-soft)]"
        />
      )}
    </Field>
  );
}

interface DeliveryProps {
  value: string;
  error: string | undefined;
  today: string;
  onChange: (deliverOn: string) => void;
}

function Delivery({ value, error, today, onChange }: DeliveryProps): ReactNode {
  return (
    <div className="grid gap-3">
      <SegmentedControl<"now" | "date">
        label="When should it arrive?"
        value={value === "" ? "now" : "date"}
        options={[
          { value: "now", label: "Now" },
          { value: "date", label: "On a date" },
        ]}
        onChange={(when) => onChange(when === "now" ? "" : today)}
      />
      {value !== "" && (
        <TextInput
          label="Date"
          type="date"
          min={today}
          max={latestDelivery(today)}
          value={value}
          error={error}
          // A cleared field keeps the choice "On a date".
          onChange={(event) => onChange(event.target.value || today)}
        />
      )}
    </div>
  );
}
