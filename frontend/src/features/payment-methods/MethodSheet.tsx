import { type ReactNode, useState } from "react";
import { useModal } from "@/shell/modals";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { toast } from "@/ui/toast";
import { detailOf, nameOf } from "./format";
import { useDeletePaymentMethod, useSetDefaultPaymentMethod } from "./mutations";
import type { PaymentMethod } from "./queries";

/** One saved method: the default or not, or gone. Removing asks once more. */
export default function MethodSheet({ method }: { method: PaymentMethod }): ReactNode {
  const here = useModal();
  const setDefault = useSetDefaultPaymentMethod();
  const remove = useDeletePaymentMethod();
  const [sure, setSure] = useState(false);
  const name = nameOf(method);
  const done = (words: string) => () => {
    here?.close();
    toast(words, "success");
  };
  const makeDefault = () =>
    setDefault.mutate(method.isDefault ? null : method.paymentMethodId, {
      onSuccess: done(method.isDefault ? "Default removed" : `${name} is now your default`),
    });
  return (
    <Sheet title={name} description={detailOf(method)}>
      <div className="grid gap-2 pt-2 pb-4">
        <Button variant="soft" busy={setDefault.isPending} onClick={makeDefault}>
          {method.isDefault ? "Remove as default" : "Set as default"}
        </Button>
        <Button
          variant="danger"
          busy={remove.isPending}
          onClick={() =>
            sure
              ? remove.mutate(method.paymentMethodId, { onSuccess: done(`${name} removed`) })
              : setSure(true)
          }
        >
          {sure ? "Yes, remove" : "Remove"}
        </Button>
        <p role="status" className="t-small min-h-5 text-center text-ink-2">
          {sure && "You can add it again later."}
        </p>
      </div>
    </Sheet>
  );
}
