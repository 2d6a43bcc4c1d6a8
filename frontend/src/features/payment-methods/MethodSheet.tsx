import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useModal } from "@/shell/modals";
import { Button } from "@/ui/Button";
import { Sheet } from "@/ui/Sheet";
import { toast } from "@/ui/toast";
import { formatMethodDetail, formatMethodName } from "./format";
import { paymentMethodQuery } from "./method-query";
import {
  useDeletePaymentMethod,
  useSetDefaultPaymentMethod,
  useUnsetDefaultPaymentMethod,
} from "./mutations";
import type { PaymentMethod } from "./queries";

interface MethodSheetProps {
  method: PaymentMethod;
  removalNote: ReactNode;
}

/** Sets a saved method as the default, or removes it after a confirmation. */
export default function MethodSheet({ method: listed, removalNote }: MethodSheetProps): ReactNode {
  const modal = useModal();
  const { data: method = listed } = useQuery(paymentMethodQuery(listed.paymentMethodId));
  const setDefault = useSetDefaultPaymentMethod();
  const unsetDefault = useUnsetDefaultPaymentMethod();
  const remove = useDeletePaymentMethod();
  const [confirming, setConfirming] = useState(false);
  const name = formatMethodName(method);
  const closeWithToast = (text: string) => () => {
    modal?.close();
    toast(text, "success");
  };
  const toggleDefault = () => {
    if (method.isDefault) unsetDefault.mutate(undefined, { onSuccess: closeWithToast("Default removed") });
    else {
      setDefault.mutate(method.paymentMethodId, {
        onSuccess: closeWithToast(`${name} is now your default`),
      });
    }
  };
  return (
    <Sheet title={name} description={formatMethodDetail(method)}>
      <div className="grid gap-2 pt-2 pb-4">
        <Button variant="soft" busy={setDefault.isPending || unsetDefault.isPending} onClick={toggleDefault}>
          {method.isDefault ? "Remove as default" : "Set as default"}
        </Button>
        <Button
          variant="danger"
          busy={remove.isPending}
          onClick={() =>
            confirming
              ? remove.mutate(method.paymentMethodId, { onSuccess: closeWithToast(`${name} removed`) })
              : setConfirming(true)
          }
        >
          {confirming ? "Yes, remove" : "Remove"}
        </Button>
        <p role="status" className="t-small min-h-5 text-center text-ink-2">
          {/* Rendered before, so that the note has loaded. */}
          <span hidden={!confirming}>You can add it again later. {removalNote}</span>
        </p>
      </div>
    </Sheet>
  );
}
