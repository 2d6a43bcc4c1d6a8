import { valibotResolver } from "@hookform/resolvers/valibot";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useForm } from "react-hook-form";
import * as v from "valibot";
import { errorMessage } from "@/api/errors";
import { Button } from "@/ui/Button";
import { TextInput } from "@/ui/Field";
import { Logo } from "@/ui/Logo";
import { useSignInStaff } from "./mutations";
import { unlockSound } from "./sound";

const schema = v.object({
  storeCode: v.pipe(v.string(), v.trim(), v.nonEmpty("Enter the code of your store.")),
  pin: v.pipe(v.string(), v.trim(), v.regex(/^\d{6,12}$/, "Enter your PIN, six digits or more.")),
});

/** Signs the staff of a store in with its code and PIN. */
export function SignInForm(): ReactNode {
  const form = useForm({ resolver: valibotResolver(schema), defaultValues: { storeCode: "", pin: "" } });
  const signIn = useSignInStaff();
  const submit = form.handleSubmit((values) => {
    unlockSound();
    signIn.mutate(values, {
      onError: (error) => form.setError("pin", { message: errorMessage(error) }),
    });
  });
  const { errors } = form.formState;
  return (
    <main className="mx-auto grid w-full max-w-100 flex-1 content-center gap-8 px-gutter py-10">
      <div>
        <Logo height={26} />
        <h1 tabIndex={-1} className="t-display mt-6">
          Store console
        </h1>
        <p className="mt-2 text-ink-2">Sign in to see your orders and what to make next.</p>
      </div>
      <form onSubmit={submit} noValidate className="grid gap-4">
        <TextInput
          label="Store code"
          error={errors.storeCode?.message}
          autoComplete="username"
          autoCapitalize="characters"
          spellCheck={false}
          {...form.register("storeCode")}
        />
        <TextInput
          label="PIN"
          error={errors.pin?.message}
          type="password"
          inputMode="numeric"
          autoComplete="current-password"
          {...form.register("pin")}
        />
        <Button big type="submit" busy={signIn.isPending}>
          Sign in
        </Button>
      </form>
      <Link to="/store-console/order-xray" className="text-ink-2 underline">
        Order records, for operators
      </Link>
    </main>
  );
}
