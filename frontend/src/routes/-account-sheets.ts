import { modals } from "@/shell/modals";
import type { Profile } from "@/shell/queries";

const SHEETS = {
  help: () => modals.load("help", () => import("@/features/account/HelpSheet"), {}),
  feedback: () => modals.load("feedback", () => import("@/features/account/FeedbackSheet"), {}),
  car: () => modals.load("vehicle", () => import("@/features/vehicle/VehicleSheet"), {}),
  profile: ({ firstName, lastName, email }: Profile) =>
    modals.load("profile", () => import("@/features/account/ProfileSheet"), { firstName, lastName, email }),
  photo: ({ photo, firstName, lastName }: Profile) =>
    modals.load("photo", () => import("@/features/account/PhotoSheet"), {
      photo: photo ?? "",
      firstName,
      lastName,
    }),
};

/** The sheets of the account, each with an address such as `/account?sheet=help`. */
export type AccountSheet = keyof typeof SHEETS;

export function openAccountSheet(sheet: AccountSheet, profile: Profile): void {
  void SHEETS[sheet](profile);
}
