import { valibotResolver } from "@hookform/resolvers/valibot";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import * as v from "valibot";
import { ApiError, errorMessage } from "@/api/errors";
import { limits } from "@/api/limits.gen";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { useSetName } from "./mutations";

const TOO_LONG = `Use ${limits.nameLength} characters or fewer.`;
const schema = v.object({
  firstName: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, "Enter your first name."),
    v.maxLength(limits.nameLength, TOO_LONG),
  ),
  lastName: v.pipe(v.string(), v.trim(), v.maxLength(limits.nameLength, TOO_LONG)),
  email: v.pipe(
    v.string(),
    v.trim(),
    v.union([v.literal(""), v.pipe(v.string(), v.email("Enter a complete email address."))]),
  ),
});

interface NameFormProps {
  initial?: { firstName: string; lastName: string; email: string };
  /** Shows a field for the email address as well. */
  hasEmail?: boolean;
  submitLabel: string;
  onSaved: () => void;
}

/** The form for the consumer's name, used at sign-in and in the account. */
export function NameForm({
  initial = { firstName: "", lastName: "", email: "" },
  hasEmail = false,
  submitLabel,
  onSaved,
}: NameFormProps): ReactNode {
  const form = useForm({ resolver: valibotResolver(schema), defaultValues: initial });
  const setName = useSetName();
  const { errors } = form.formState;
  const submit = form.handleSubmit(({ email, ...name }) => {
    if (setName.isPending) return;
    // The server keeps the address if none is sent, so an unchanged one is left out.
    setName.mutate(hasEmail && email !== initial.email ? { ...name, email } : name, {
      onSuccess: onSaved,
      onError: (error) => form.setError(getField(error), { message: errorMessage(error) }),
    });
  });
  return (
    <form onSubmit={submit} noValidate className="flex flex-1 flex-col justify-between gap-6">
      <div className="grid gap-4">
        <TextInput
          label="First name"
          hint="We'll call out this name."
          error={errors.firstName?.message}
          autoComplete="given-name"
          {...form.register("firstName")}
        />
        <TextInput
          label="Last name (optional)"
          error={errors.lastName?.message}
          autoComplete="family-name"
          {...form.register("lastName")}
        />
        {hasEmail && (
          <TextInput
            label="Email (optional)"
            type="email"
            error={errors.email?.message}
            autoComplete="email"
            {...form.register("email")}
          />
        )}
      </div>
      <Button big type="submit" busy={setName.isPending}>
        {submitLabel}
      </Button>
    </form>
  );
}

/** Returns the field that the error is about. */
function getField(error: unknown): "email" | "firstName" {
  return error instanceof ApiError && error.reason === "EMAIL_INVALID" ? "email" : "firstName";
}
