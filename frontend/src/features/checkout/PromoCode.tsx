import TicketPercent from "lucide-react/icons/ticket-percent";
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
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

/** Adds or removes a promo code, and shows why a code is rejected. The status is always there, so that it is announced. */
export function PromoCode({ code, quote, busy, onChange }: PromoCodeProps): ReactNode {
  const [open, setOpen] = useState(false);
  const area = useKeptFocus();
  const error = code !== "" && !busy ? (quote?.promoMessage ?? undefined) : undefined;
  const discount = quote && !busy && !error ? formatMoney(quote.discount) : null;
  const inUse = findCodeInUse(code, error, discount);
  const remove = () => {
    setOpen(false);
    onChange("");
  };
  return (
    <div {...area}>
      <p className={inUse && "-ml-0.5 flex min-h-target items-center gap-2"}>
        {inUse && <TicketPercent aria-hidden="true" size={20} className="text-ink-2" />}
        <span className="flex-1" role="status">
          {inUse && <b className="t-strong">{inUse.name}</b>}
          {inUse?.detail}
        </span>
        {inUse && (
          <Button variant="link" onClick={remove}>
            Remove
          </Button>
        )}
      </p>
      {inUse ? null : open || error ? (
        <CodeForm initial={code} error={error} onSubmit={onChange} />
      ) : (
        <Button variant="link" onClick={() => setOpen(true)}>
          <TicketPercent aria-hidden="true" size={20} /> Add promo code
        </Button>
      )}
    </div>
  );
}

/** Returns how to show a reward, or a code that is not rejected. */
function findCodeInUse(code: string, error: string | undefined, discount: string | null) {
  const points = getRewardPoints(code);
  if (points !== null) {
    const detail = error ? `: ${error}` : discount && `: ${discount} off for ${points} points`;
    return { name: "Your reward", detail };
  }
  if (code === "" || error) return undefined;
  return { name: code, detail: discount && ` applied: ${discount} off` };
}

/** Keeps the focus in an area: if the focused control is replaced, its first control gets the focus. */
function useKeptFocus(): Pick<ComponentProps<"div">, "ref" | "onFocus" | "onBlur"> {
  const ref = useRef<HTMLDivElement>(null);
  const isInside = useRef(false);
  useLayoutEffect(() => {
    if (!isInside.current || document.activeElement !== document.body) return;
    ref.current?.querySelector<HTMLElement>("input, button")?.focus({ preventScroll: true });
  });
  return {
    ref,
    onFocus: () => {
      isInside.current = true;
    },
    onBlur: () => {
      isInside.current = false;
    },
  };
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
