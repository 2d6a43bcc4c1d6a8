import { zodResolver } from "@hookform/resolvers/zod";
import { type ReactNode, useEffect, useState } from "react";
import { Controller, useForm } from "react-hook-form";
import * as z from "zod/mini";
import { sentence } from "@/api/errors";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { toast } from "@/ui/toast";
import { useRequestCode, useVerify } from "./mutations";

const LENGTH = 6;
const schema = z.object({
  code: z.string().check(z.length(LENGTH, "Please type all six digits of the code.")),
});

interface CodeFormProps {
  /** E.164. */
  phone: string;
  /** Seconds until another code may be asked for. */
  resendAfter: number;
  onVerified: (needsName: boolean) => void;
}

/** Takes the code. The last digit sends it; a wrong one says so and can be typed again. */
export function CodeForm({ phone, resendAfter, onVerified }: CodeFormProps): ReactNode {
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { code: "" } });
  const verify = useVerify();
  const { setFocus } = form;
  // The code is the only thing to do here, and phones offer it above the keyboard.
  useEffect(() => setFocus("code"), [setFocus]);
  const submit = form.handleSubmit(({ code }) => {
    if (verify.isPending) return;
    verify.mutate(
      { phone, code },
      {
        onSuccess: ({ needsName }) => onVerified(needsName),
        onError: (error) => {
          form.setValue("code", "");
          form.setError("code", { message: sentence(error) }, { shouldFocus: true });
        },
      },
    );
  });
  return (
    <form onSubmit={submit} noValidate className="flex flex-1 flex-col justify-between gap-8">
      <Controller
        control={form.control}
        name="code"
        render={({ field, fieldState }) => (
          <TextInput
            label="Six-digit code"
            hint="It holds for ten minutes."
            error={fieldState.error?.message}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={LENGTH}
            ref={field.ref}
            name={field.name}
            value={field.value}
            onBlur={field.onBlur}
            onChange={(event) => {
              const code = event.target.value.replace(/\D/g, "").slice(0, LENGTH);
              field.onChange(code);
              if (code.length === LENGTH) void submit();
            }}
          />
        )}
      />
      <div className="grid justify-items-center gap-1">
        <Button big type="submit" busy={verify.isPending}>
          Sign in
        </Button>
        <Resend phone={phone} after={resendAfter} />
      </div>
    </form>
  );
}

function Resend({ phone, after }: { phone: string; after: number }): ReactNode {
  const [left, setLeft] = useState(after);
  const request = useRequestCode();
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  if (left > 0) {
    return <p className="t-small num flex min-h-target items-center text-ink-2">Another code in {left} s</p>;
  }
  return (
    <Button
      look="link"
      busy={request.isPending}
      onClick={() =>
        request.mutate(phone, {
          onSuccess: ({ resendAfterSeconds }) => {
            setLeft(resendAfterSeconds);
            toast("Another code is on its way");
          },
          onError: (error) => toast(sentence(error), "error"),
        })
      }
    >
      Text me another code
    </Button>
  );
}
