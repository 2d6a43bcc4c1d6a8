import type { ComponentProps } from "react";
import { modals } from "@/shell/modals";
import type PickupTimeSheet from "./PickupTimeSheet";

/** Opens the sheet with all pickup times. */
export function openPickupTimes(props: ComponentProps<typeof PickupTimeSheet>): void {
  void modals.load("pickup-time", () => import("./PickupTimeSheet"), props);
}
