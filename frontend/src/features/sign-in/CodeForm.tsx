import { valibotResolver } from "@hookform/resolvers/valibot";
import { type ReactNode, useEffect, useState } from "react";
import { Controller, useForm } from "react-hook-form";
import * as v from "valibot";
import { errorMessage } from "@/api/errors";
import { limits } from "@/api/limits.gen";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { toast } from "@/ui/toast";
import { useLogin, useVerify } from "./mutations";

const LENGTH = limits.signInCodeLength;
const schema = v.object({
  code: v.pipe(v.string(), v.length(LENGTH, "Enter all six digits.")),
});

interface CodeFormProps {
  /** E.164. */
  phone: string;
  /** Seconds until another code can be requested. */
  resendAfter: number;
  /** Called with the share of the code that is typed, 0 to 1. */
  onProgress: (share: number) => void;
  onVerified: (needsName: boolean) => void;
}

/** The form for the sign-in code. The last digit submits it. */
export function CodeForm({ phone, resendAfter, onProgress, onVerified }: CodeFormProps): ReactNode {
  const form = useForm({ resolver: valibotResolver(schema), defaultValues: { code: "" } });
  const verify = useVerify();
  const { setFocus } = form;
  // The only field of the screen, and phones suggest the code above the keyboard.
  useEffect(() => setFocus("code"), [setFocus]);
  const submit = form.handleSubmit(({ code }) => {
    if (verify.isPending) return;
    verify.mutate(
      { phone, code },
      {
        onSuccess: ({ needsName }) => onVerified(needsName),
        onError: (error) => {
          form.setValue("code", "");
          onProgress(0);
          form.setError("code", { message: errorMessage(error) }, { shouldFocus: true });
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
            hint="The code expires in 10 minutes."
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
              onProgress(code.length / LENGTH);
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
  const [secondsLeft, setSecondsLeft] = useState(after);
  const login = useLogin();
  useEffect(() => {
    if (secondsLeft <= 0) return;
    const timer = setTimeout(() => setSecondsLeft(secondsLeft - 1), 1000);
    return () => clearTimeout(timer);
  }, [secondsLeft]);
  if (secondsLeft > 0) {
    return (
      <p className="t-small num flex min-h-target items-center text-ink-2">
        Send a new code in {secondsLeft} s
      </p>
    );
  }
  return (
    <Button
      variant="link"
      busy={login.isPending}
      onClick={() =>
        login.mutate(phone, {
          onSuccess: ({ resendAfterSeconds }) => {
            setSecondsLeft(resendAfterSeconds);
            toast("We sent a new code");
          },
          onError: (error) => toast(errorMessage(error), "error"),
        })
      }
    >
      Send a new code
    </Button>
  );
}
