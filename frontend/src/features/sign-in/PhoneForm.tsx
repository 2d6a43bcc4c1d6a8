import { zodResolver } from "@hookform/resolvers/zod";
import type { ReactNode } from "react";
import { Controller, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { sentence } from "@/api/errors";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { type CodeSent, useRequestCode } from "./mutations";
import { digitsOf, formatPhone, internationalOf } from "./phone";

const schema = z.object({
  digits: z.string().check(z.length(10, "Please type all ten digits of your number.")),
});

/** Asks for the number and has a code sent to it. `foot` stands below the button. */
export function PhoneForm({
  onSent,
  foot,
}: {
  onSent: (sent: CodeSent) => void;
  foot: ReactNode;
}): ReactNode {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { digits: "" } });
  const request = useRequestCode();
  const submit = form.handleSubmit(({ digits }) =>
    request.mutate(internationalOf(digits), {
      onSuccess: onSent,
      onError: (error) => form.setError("digits", { message: sentence(error) }),
    }),
  );
  return (
    <form onSubmit={submit} noValidate className="flex flex-1 flex-col justify-between gap-8">
      <Controller
        control={form.control}
        name="digits"
        render={({ field, fieldState }) => (
          <TextInput
            label="Mobile number"
            hint="We text you a six-digit code, no password."
            error={fieldState.error?.message}
            prefix="+1"
            type="tel"
            inputMode="tel"
            autoComplete="tel-national"
            ref={field.ref}
            name={field.name}
            value={formatPhone(field.value)}
            onBlur={field.onBlur}
            onChange={(event) => field.onChange(digitsOf(event.target.value))}
          />
        )}
      />
      <div className="grid justify-items-center gap-1">
        <Button big type="submit" busy={request.isPending}>
          Text me a code
        </Button>
        {foot}
      </div>
    </form>
  );
}
