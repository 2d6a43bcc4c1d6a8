import { isInNativeShell } from "@/native/shell";
import { device } from "@/state/device";

/** Specification section 9: the device is mobile-web below this width. */
const DESKTOP_WIDTH = 768;

/** Stores the kind of device. In a native shell its `ping` names the device. */
export function recordSourceDevice(width = window.innerWidth): void {
  if (isInNativeShell()) return;
  device.sourceDevice.set(width < DESKTOP_WIDTH ? "mobile-web" : "desktop");
}
