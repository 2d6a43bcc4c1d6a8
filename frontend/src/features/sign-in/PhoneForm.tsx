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

/** Requests a sign-in code for a phone number. `footer` is below the button. */
export function PhoneForm({
  onSent,
  footer,
}: {
  onSent: (sent: LoginResponse) => void;
  footer: ReactNode;
}): ReactNode {
  const form = useForm({ resolver: valibotResolver(schema), defaultValues: { digits: "" } });
  const login = useLogin();
  const submit = form.handleSubmit(({ digits }) =>
    login.mutate(toE164(digits), {
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
        <Button big type="submit" busy={login.isPending}>
          Text me a code
        </Button>
        {footer}
      </div>
    </form>
  );
}
