import { TZDateMini } from "@date-fns/tz/date/mini";
import { format } from "date-fns/format";

/**
 * A moment in the store's zone in the specification's format, whose `KK` counts hours from 00: noon is "00:05 PM".
 * Apart from `time.ts`, because date-fns is heavy and few screens need it.
 */
export function formatOrderDate(instant: string, zone: string): string {
  return format(new TZDateMini(new Date(instant).getTime(), zone), "EEEE MMM dd, KK:mm a");
}
