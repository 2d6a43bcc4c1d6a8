import { string } from "valibot";
import { deviceItem } from "./device-item";

/** The share code of the invitation that the consumer followed, until they sign in; empty for none. */
export const invitationItem = deviceItem({ key: "invitation", version: 1, schema: string(), initial: "" });
