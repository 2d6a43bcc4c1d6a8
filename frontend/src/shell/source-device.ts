import { isInNativeShell } from "@/native/shell";
import { device } from "@/state/device";

/** Specification section 9: the device is mobile-web below this width. */
const DESKTOP_WIDTH = 768;

/** Stores the kind of device. In a native shell its `ping` names the device. */
export function recordSourceDevice(): void {
  if (isInNativeShell()) return;
  device.sourceDevice.set(window.innerWidth < DESKTOP_WIDTH ? "mobile-web" : "desktop");
}
