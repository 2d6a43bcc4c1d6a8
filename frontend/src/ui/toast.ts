type Tone = "success" | "error" | "info";

/** Shows a short message at the top of the screen. The toast library loads with the first message. */
export function toast(text: string, tone: Tone = "info"): void {
  void import("./ToastArea").then(({ show }) => show(text, tone));
}
