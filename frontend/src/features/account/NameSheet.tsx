import type { ReactNode } from "react";
import { useModal } from "@/shell/modals";
import { Sheet } from "@/ui/Sheet";
import { toast } from "@/ui/toast";
import { NameForm } from "./NameForm";

export default function NameSheet({
  firstName,
  lastName,
}: {
  firstName: string;
  lastName: string;
}): ReactNode {
  const modal = useModal();
  return (
    <Sheet title="Your name">
      <NameForm
        initial={{ firstName, lastName }}
        submitLabel="Save name"
        onSaved={() => {
          modal?.close();
          toast("Name saved", "success");
        }}
      />
    </Sheet>
  );
}
