import { type InferOutput, picklist } from "valibot";
import { modals } from "@/shell/modals";
import type { Profile } from "@/shell/queries";

/** The sheets of the account that have an address: `/account?sheet=help`. */
export const accountSheet = picklist(["help", "feedback", "car", "profile", "photo"]);

export type AccountSheet = InferOutput<typeof accountSheet>;

export function openAccountSheet(sheet: AccountSheet, { firstName, lastName, email, photo }: Profile): void {
  void {
    help: () => modals.load("help", () => import("@/features/account/HelpSheet"), {}),
    feedback: () => modals.load("feedback", () => import("@/features/account/FeedbackSheet"), {}),
    car: () => modals.load("vehicle", () => import("@/features/vehicle/VehicleSheet"), {}),
    profile: () =>
      modals.load("profile", () => import("@/features/account/ProfileSheet"), { firstName, lastName, email }),
    photo: () =>
      modals.load("photo", () => import("@/features/account/PhotoSheet"), {
        photo: photo ?? "",
        firstName,
        lastName,
      }),
  }[sheet]();
}
