import { zodResolver } from "@hookform/resolvers/zod";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import * as z from "zod/mini";
import { sentence } from "@/api/errors";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { useSetName } from "./mutations";

const schema = z.object({
  firstName: z.string().check(z.trim(), z.minLength(1, "Please tell us what to call out."), z.maxLength(60)),
  lastName: z.string().check(z.trim(), z.maxLength(60)),
});

interface NameFormProps {
  initial?: { firstName: string; lastName: string };
  /** Names what a press leads to. */
  submitLabel: string;
  onSaved: () => void;
}

/** The name that the store calls out. Used when a new consumer signs in, and in the account. */
export function NameForm({
  initial = { firstName: "", lastName: "" },
  submitLabel,
  onSaved,
}: NameFormProps): ReactNode {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: initial });
  const setName = useSetName();
  const { errors } = form.formState;
  const submit = form.handleSubmit((name) =>
    setName.mutate(name, {
      onSuccess: onSaved,
      onError: (error) => form.setError("firstName", { message: sentence(error) }),
    }),
  );
  return (
    <form onSubmit={submit} noValidate className="flex flex-1 flex-col justify-between gap-6">
      <div className="grid gap-4">
        <TextInput
          label="First name"
          hint="The name we call out."
          error={errors.firstName?.message}
          autoComplete="given-name"
          {...form.register("firstName")}
        />
        <TextInput
          label="Last name, if you like"
          error={errors.lastName?.message}
          autoComplete="family-name"
          {...form.register("lastName")}
        />
      </div>
      <Button big type="submit" busy={setName.isPending}>
        {submitLabel}
      </Button>
    </form>
  );
}
