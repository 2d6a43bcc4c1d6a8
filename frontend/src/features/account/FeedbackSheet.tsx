import { valibotResolver } from "@hookform/resolvers/valibot";
import { type ReactNode, useId } from "react";
import { useForm } from "react-hook-form";
import * as v from "valibot";
import { errorMessage } from "@/api/errors";
import { limits } from "@/api/limits.gen";
import { useModal } from "@/shell/modals";
import { Button } from "@/ui/Button";
import { Field } from "@/ui/Field";
import { Sheet } from "@/ui/Sheet";
import { toast } from "@/ui/toast";
import { useSendUserFeedback } from "./mutations";

const schema = v.object({
  message: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, "Enter a message."),
    v.maxLength(limits.feedbackLength, `Use ${limits.feedbackLength} characters or fewer.`),
  ),
});

export default function FeedbackSheet(): ReactNode {
  const modal = useModal();
  const formId = useId();
  const form = useForm({ resolver: valibotResolver(schema), defaultValues: { message: "" } });
  const sendFeedback = useSendUserFeedback();
  const submit = form.handleSubmit((feedback) => {
    if (sendFeedback.isPending) return;
    sendFeedback.mutate(feedback, {
      onSuccess: () => {
        modal?.close();
        toast("Thanks for your feedback.", "success");
      },
      onError: (error) => form.setError("message", { message: errorMessage(error) }),
    });
  });
  return (
    <Sheet
      title="Send feedback"
      action={
        <Button big type="submit" form={formId} busy={sendFeedback.isPending}>
          Send
        </Button>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <Field
          label="Your message"
          hint="What do you like, and what could be better?"
          error={form.formState.errors.message?.message}
        >
          {(ids) => (
            <textarea
              {...ids}
              {...form.register("message")}
              rows={3}
              className="edge field-sizing-content block max-h-48 min-h-28 w-full resize-none rounded-choice bg-surface px-4 py-3.5 outline-none focus:shadow-[inset_0_0_0_2px_var(--accent),0_0_0_4px_var(--accent-soft)]"
            />
          )}
        </Field>
      </form>
    </Sheet>
  );
}
