/** Short words at the top of the screen. The library behind them loads with the first one. */

type Tone = "success" | "error" | "info";

/** "Feedback submitted", "Added to cart". */
export function toast(text: string, tone: Tone = "info"): void {
  void import("./ToastArea").then(({ show }) => show(text, tone));
}
