import { TZDateMini } from "@date-fns/tz/date/mini";
import { format } from "date-fns/format";

/**
 * Formats an instant in the store's zone as specified; `KK` counts hours from 00, so noon is "00:05 PM". In a file of its own,
 * because date-fns is large and few screens use it.
 */
export function formatOrderDate(instant: string, zone: string): string {
  return format(new TZDateMini(new Date(instant).getTime(), zone), "EEEE MMM dd, KK:mm a");
}
