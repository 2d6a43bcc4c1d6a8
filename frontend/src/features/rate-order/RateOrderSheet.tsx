import { type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import { limits } from "@/api/limits.gen";
import { ItemArt } from "@/art/ItemArt";
import { getSizeIndex } from "@/art/size-index";
import { formatOrderDate } from "@/lib/order-date";
import { isInNativeShell } from "@/native/shell";
import { useModal } from "@/shell/modals";
import { device } from "@/state/device";
import { Button } from "@/ui/Button";
import { SegmentedControl } from "@/ui/SegmentedControl";
import { Sheet } from "@/ui/Sheet";
import { StarRating } from "@/ui/StarRating";
import { toast } from "@/ui/toast";
import { useSendOrderFeedback } from "./mutations";
import type { RatedOrder } from "./queries";

type Answer = "yes" | "no" | "";
/** The coding of specification section 3. */
const CODES: Readonly<Record<Answer, number>> = { yes: 1, no: -1, "": 0 };

interface RateOrderSheetProps {
  order: RatedOrder;
  /** Stars that the consumer selected before. */
  rating?: number;
}

/** The "Rate Your Order" modal of specification section 2. */
export default function RateOrderSheet({ order, rating: selected = 0 }: RateOrderSheetProps): ReactNode {
  const modal = useModal();
  const formId = useId();
  const [rating, setRating] = useState(selected);
  const [error, setError] = useState<string>();
  const [orderReady, setOrderReady] = useState<Answer>("");
  const [orderCorrect, setOrderCorrect] = useState<Answer>("");
  const [message, setMessage] = useState("");
  const sendFeedback = useSendOrderFeedback();
  useForgetWhenClosed(order.orderId, modal?.open ?? false);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sendFeedback.isPending) return;
    if (rating === 0) return setError("Please select a rating");
    const text = message.trim();
    const feedback = {
      orderId: order.orderId,
      rating,
      feedbackOrderReady: CODES[orderReady],
      feedbackOrderCorrect: CODES[orderCorrect],
      ...(text === "" ? {} : { message: text }),
    };
    sendFeedback.mutate(feedback, {
      onSuccess: (failure) => {
        if (failure && !failure.isAlreadySent) return toast(failure.message, "error");
        modal?.close();
        if (failure) return toast("You've already rated this order.");
        toast("Feedback submitted", "success");
        askForReview(rating);
      },
    });
  };
  const orderedAt = order.placedAt ?? order.createdAt;
  return (
    <Sheet
      title="Rate Your Order"
      description={
        <>
          {order.storeName}
          {orderedAt && <span className="num block">{formatOrderDate(orderedAt, order.timeZone)}</span>}
        </>
      }
      picture={<Picture order={order} />}
      action={
        <Button big type="submit" form={formId} busy={sendFeedback.isPending}>
          Send feedback
        </Button>
      }
    >
      <form id={formId} onSubmit={submit} noValidate className="grid gap-3">
        <StarRating
          label="Your rating"
          value={rating}
          error={error}
          onChange={(stars) => {
            setRating(stars);
            setError(undefined);
          }}
        />
        <Question text="Was it ready on time?" value={orderReady} onChange={setOrderReady} />
        <Question text="Could you skip the line?" value={orderCorrect} onChange={setOrderCorrect} />
        <textarea
          aria-label="Anything to add? (optional)"
          placeholder="Anything to add? (optional)"
          rows={1}
          maxLength={limits.feedbackLength}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          className="edge field-sizing-content max-h-40 min-h-bar w-full resize-none rounded-choice bg-surface px-4 py-4 outline-none placeholder:text-ink-2 focus:shadow-[inset_0_0_0_2px_var(--accent),0_0_0_4px_var(--accent-soft)]"
        />
      </form>
    </Sheet>
  );
}

/** Asks for a review in the app store, in a native shell. */
function askForReview(rating: number): void {
  if (!isInNativeShell()) return;
  import("@/native/review").then(
    ({ requestReview }) => requestReview(rating),
    () => undefined,
  );
}

/** Clears the reminder when the modal closes, by any way. */
function useForgetWhenClosed(orderId: string, open: boolean): void {
  useEffect(() => {
    if (!open && device.lastOrder.get()?.orderId === orderId) device.lastOrder.clear();
  }, [orderId, open]);
}

interface QuestionProps {
  text: string;
  value: Answer;
  onChange: (answer: Answer) => void;
}

function Question({ text, value, onChange }: QuestionProps): ReactNode {
  return (
    <div className="grid grid-cols-[1fr_8.75rem] items-center gap-3 large-text:grid-cols-1">
      <span aria-hidden="true">{text}</span>
      <SegmentedControl<Answer>
        label={text}
        options={[
          { value: "yes", label: "Yes" },
          { value: "no", label: "No" },
        ]}
        value={value}
        onChange={onChange}
      />
    </div>
  );
}

/** Draws the first drink of the order, or the first item if it has no drink. */
function Picture({ order }: { order: RatedOrder }): ReactNode {
  const line = order.lines.find(({ kind }) => kind === "drink") ?? order.lines[0];
  if (!line) return null;
  // The width of the box at the height that the sheet gives to its picture.
  const crop =
    line.kind === "drink" ? { box: "44 10 152 288", width: 89 } : { box: "10 56 220 244", width: 151 };
  return (
    <ItemArt
      art={line.art}
      selection={{ sizeIndex: getSizeIndex(line.art, line.sizeName), choices: line.choices }}
      {...crop}
    />
  );
}
