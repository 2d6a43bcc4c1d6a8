import type { QueryClient } from "@tanstack/react-query";
import { write } from "@/api/client";
import { ApiError, errorMessage } from "@/api/errors";
import { toast } from "@/ui/toast";
import { modals } from "./modals";
import { replaceSession } from "./pending-sign-out";
import { startSession } from "./start-session";

/**
 * Exchanges a hand-over code for the session cookie. The gateway does this when it serves a page; the code remains if another
 * consumer is signed in, who must confirm, and if the gateway was unable to exchange it.
 */
export async function enterSession(
  queryClient: QueryClient,
  code: string,
  replacesConsumer = false,
): Promise<void> {
  try {
    const { profile } = await replaceSession(() =>
      write("/authentication/exchange-hand-over-code", { code, replacesConsumer }),
    );
    await startSession(queryClient, profile);
  } catch (error) {
    if (error instanceof ApiError && error.reason === "OTHER_CONSUMER_SIGNED_IN") {
      await modals.load("switch-account", () => import("./SwitchAccountSheet"), {
        onConfirm: () => void enterSession(queryClient, code, true),
      });
    } else toast(errorMessage(error), "error");
  }
}
