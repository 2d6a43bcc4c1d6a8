import type { ReactNode } from "react";
import { useModal } from "@/shell/modals";
import { Sheet } from "@/ui/Sheet";
import { toast } from "@/ui/toast";
import { NameForm } from "./NameForm";

/** Changes the name; opened from the account. */
export default function NameSheet({
  firstName,
  lastName,
}: {
  firstName: string;
  lastName: string;
}): ReactNode {
  const here = useModal();
  return (
    <Sheet title="Your name">
      <NameForm
        initial={{ firstName, lastName }}
        submitLabel="Save name"
        onSaved={() => {
          here?.close();
          toast("Name saved", "success");
        }}
      />
    </Sheet>
  );
}
