import { type InferOutput, picklist } from "valibot";

/** The sheets of the account. Each has an address such as `/account?sheet=help`. */
export const accountSheet = picklist(["help", "feedback", "car", "profile", "photo"]);

export type AccountSheet = InferOutput<typeof accountSheet>;
