import type { ReactNode } from "react";
import { usePauseAutoReload } from "@/features/wallet/mutations";
import { Button } from "@/ui/Button";
import { toast } from "@/ui/toast";

/** Pauses automatic reloads with one tap, from the message about a reload. */
export function PauseAutoReload(): ReactNode {
  const pause = usePauseAutoReload();
  return (
    <Button
      variant="link"
      busy={pause.isPending}
      onClick={() =>
        pause.mutate(undefined, {
          onSuccess: ({ enabled }) =>
            toast(enabled ? "Auto-reload is paused for a week" : "Auto-reload is off", "success"),
        })
      }
    >
      Pause auto-reload
    </Button>
  );
}
