import type { ReactNode } from "react";
import { useModal } from "@/shell/modals";
import { Sheet } from "@/ui/Sheet";
import { toast } from "@/ui/toast";
import { NameForm } from "./NameForm";

interface ProfileSheetProps {
  firstName: string;
  lastName: string;
  email: string;
}

export default function ProfileSheet(initial: ProfileSheetProps): ReactNode {
  const modal = useModal();
  return (
    <Sheet title="Your profile">
      <NameForm
        initial={initial}
        hasEmail
        submitLabel="Save profile"
        onSaved={() => {
          modal?.close();
          toast("Profile saved", "success");
        }}
      />
    </Sheet>
  );
}
