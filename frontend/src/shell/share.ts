import { isInNativeShell } from "@/native/shell";
import { toast } from "@/ui/toast";

interface Content {
  title?: string;
  text?: string;
  url: string;
}

/** Opens the share sheet of the native shell or the browser. Without one it copies text and url, and shows a toast. */
export async function share(content: Content, copied: { success: string; failure: string }): Promise<void> {
  if (isInNativeShell()) {
    const { shareNatively } = await import("@/native/share");
    await shareNatively(content);
    return;
  }
  if (typeof navigator.share === "function") {
    // Rejects if the consumer closes the share sheet.
    await navigator.share(content).catch(() => undefined);
    return;
  }
  try {
    await navigator.clipboard.writeText([content.text, content.url].filter(Boolean).join(" "));
    toast(copied.success, "success");
  } catch {
    toast(copied.failure, "error");
  }
}
