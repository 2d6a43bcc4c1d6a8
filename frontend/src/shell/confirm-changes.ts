import type { ChangesSheetProps } from "./ChangesSheet";
import { modals } from "./modals";

/** Calls `onConfirm`; if something changed, only after the consumer has seen the changes and agrees. */
export function confirmChanges(props: ChangesSheetProps): void {
  if (props.changes.length === 0) {
    props.onConfirm();
    return;
  }
  void modals.load("changes", () => import("./ChangesSheet"), props);
}
