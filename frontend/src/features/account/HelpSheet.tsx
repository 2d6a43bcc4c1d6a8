import ChevronDown from "lucide-react/icons/chevron-down";
import type { ReactNode } from "react";
import { modals, useModal } from "@/shell/modals";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";

const ANSWERS = [
  {
    question: "Can I cancel an order?",
    answer:
      "Yes, until the store accepts it. Open the order under Orders and choose Cancel order. You get all of your money back.",
  },
  {
    question: "Something is wrong with my order",
    answer:
      "Please tell the barista first: they can make it again. Then rate the order and tell us what happened.",
  },
  {
    question: "When does a refund arrive?",
    answer: "JoePass and gift cards right away. Cards take 5 to 10 days, depending on your bank.",
  },
  {
    question: "How do I earn points?",
    answer: "You earn points when you pick up an order. A refund takes them back.",
  },
  {
    question: "Why was a payment returned?",
    answer:
      "Your bank couldn't pay it, for example because the balance was too low. Pay it with a card and you can order again.",
  },
  {
    question: "I have a new phone number",
    answer: "Sign in with your old number on a device that you used before, and send us feedback from there.",
  },
];

export default function HelpSheet(): ReactNode {
  const modal = useModal();
  const sendFeedback = () => {
    modal?.close();
    void modals.load("feedback", () => import("./FeedbackSheet"), {});
  };
  return (
    <Sheet
      title="Questions and answers"
      action={
        <Button big variant="soft" onClick={sendFeedback}>
          Send feedback
        </Button>
      }
    >
      <div className="divide-y divide-line">
        {ANSWERS.map(({ question, answer }) => (
          <details key={question} className="group py-1">
            <summary className="t-strong flex min-h-13 cursor-pointer list-none items-center justify-between gap-4 [&::-webkit-details-marker]:hidden">
              {question}
              <ChevronDown
                aria-hidden="true"
                size={20}
                className="shrink-0 text-accent transition-transform duration-fast group-open:rotate-180"
              />
            </summary>
            <p className="pb-3 text-ink-2">{answer}</p>
          </details>
        ))}
      </div>
    </Sheet>
  );
}
