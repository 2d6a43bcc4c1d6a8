type Tone = "success" | "error" | "info";

/** A button of a toast. */
export interface ToastAction {
  label: string;
  onPress: () => void;
}

/** Shows a short message at the top of the screen. The toast library loads with the first message. */
export function toast(text: string, tone: Tone = "info", action?: ToastAction): void {
  void import("./ToastArea").then(({ show }) => show(text, tone, action));
}
