import { valibotResolver } from "@hookform/resolvers/valibot";
import type { ReactNode } from "react";
import { Controller, useForm } from "react-hook-form";
import * as v from "valibot";
import { errorMessage } from "@/api/errors";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { type LoginResponse, useLogin } from "./mutations";
import { formatPhone, toE164, toPhoneDigits } from "./phone";

const schema = v.object({
  digits: v.pipe(v.string(), v.length(10, "Enter all 10 digits of your number.")),
});

/** Asks for the number and has a code sent to it. `foot` stands below the button. */
export function PhoneForm({
  onSent,
  foot,
}: {
  onSent: (sent: LoginResponse) => void;
  foot: ReactNode;
}): ReactNode {
  const form = useForm({ resolver: valibotResolver(schema), defaultValues: { digits: "" } });
  const request = useLogin();
  const submit = form.handleSubmit(({ digits }) =>
    request.mutate(toE164(digits), {
      onSuccess: onSent,
      onError: (error) => form.setError("digits", { message: errorMessage(error) }),
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
            hint="We'll text you a six-digit code. No password needed."
            error={fieldState.error?.message}
            prefix="+1"
            type="tel"
            inputMode="tel"
            autoComplete="tel-national"
            ref={field.ref}
            name={field.name}
            value={formatPhone(field.value)}
            onBlur={field.onBlur}
            onChange={(event) => field.onChange(toPhoneDigits(event.target.value))}
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
