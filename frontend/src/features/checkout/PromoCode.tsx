import TicketPercent from "lucide-react/icons/ticket-percent";
import { type FormEvent, type ReactNode, useState } from "react";
import { limits } from "@/api/limits.gen";
import { formatMoney } from "@/lib/money";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { getRewardPoints } from "./format";
import type { Quote } from "./queries";

interface PromoCodeProps {
  /** The code in the cart; empty for none. */
  code: string;
  quote: Quote | undefined;
  busy: boolean;
  onChange: (code: string) => void;
}

/** Adds or removes a promo code, and shows why a code is rejected. */
export function PromoCode({ code, quote, busy, onChange }: PromoCodeProps): ReactNode {
  const [open, setOpen] = useState(false);
  const error = code !== "" && !busy ? (quote?.promoMessage ?? undefined) : undefined;
  const rewardPoints = getRewardPoints(code);
  const discount = quote && !busy && !error ? formatMoney(quote.discount) : null;
  if (rewardPoints !== null) {
    return (
      <CodeInUse name="Your reward" onRemove={() => onChange("")}>
        {error ? `: ${error}` : discount && `: ${discount} off for ${rewardPoints} points`}
      </CodeInUse>
    );
  }
  if (code !== "" && !error) {
    return (
      <CodeInUse name={code} onRemove={() => onChange("")}>
        {discount && ` applied: ${discount} off`}
      </CodeInUse>
    );
  }
  if (!open && !error) {
    return (
      <Button variant="link" onClick={() => setOpen(true)}>
        <TicketPercent aria-hidden="true" size={20} /> Add promo code
      </Button>
    );
  }
  return <CodeForm initial={code} error={error} onSubmit={onChange} />;
}

interface CodeInUseProps {
  name: string;
  children: ReactNode;
  onRemove: () => void;
}

function CodeInUse({ name, children, onRemove }: CodeInUseProps): ReactNode {
  return (
    <p className="-ml-0.5 flex min-h-target items-center gap-2">
      <TicketPercent aria-hidden="true" size={20} className="text-ink-2" />
      <span className="flex-1" role="status">
        <b className="t-strong">{name}</b>
        {children}
      </span>
      <Button variant="link" onClick={onRemove}>
        Remove
      </Button>
    </p>
  );
}

interface CodeFormProps {
  initial: string;
  error: string | undefined;
  onSubmit: (code: string) => void;
}

/** Not an inline function, which would be called after each rendering. */
const focusField = (input: HTMLInputElement | null) => input?.focus({ preventScroll: true });

function CodeForm({ initial, error, onSubmit }: CodeFormProps): ReactNode {
  const [text, setText] = useState(initial);
  // The consumer has just opened the field.
  const [isNew] = useState(initial === "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(text.trim().toUpperCase());
  };
  return (
    <form onSubmit={submit} className="pb-2">
      <TextInput
        label="Promo code"
        value={text}
        error={text.trim().toUpperCase() === initial ? error : undefined}
        autoCapitalize="characters"
        autoComplete="off"
        maxLength={limits.promoCodeLength}
        ref={isNew ? focusField : undefined}
        onChange={({ target }) => setText(target.value)}
        suffix={
          <button type="submit" className="t-strong min-h-target text-accent">
            Apply
          </button>
        }
      />
    </form>
  );
}
