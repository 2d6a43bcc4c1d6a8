import type { AccountSheet } from "@/features/account/sheet-names";
import { modals } from "@/shell/modals";
import type { Profile } from "@/shell/queries";

const SHEETS: Readonly<Record<AccountSheet, (profile: Profile) => Promise<void>>> = {
  help: () => modals.load("help", () => import("@/features/account/HelpSheet"), {}),
  feedback: () => modals.load("feedback", () => import("@/features/account/FeedbackSheet"), {}),
  car: () => modals.load("vehicle", () => import("@/features/vehicle/VehicleSheet"), {}),
  profile: ({ firstName, lastName, email }) =>
    modals.load("profile", () => import("@/features/account/ProfileSheet"), { firstName, lastName, email }),
  photo: ({ photo, firstName, lastName }) =>
    modals.load("photo", () => import("@/features/account/PhotoSheet"), {
      photo: photo ?? "",
      firstName,
      lastName,
    }),
};

export function openAccountSheet(sheet: AccountSheet, profile: Profile): void {
  void SHEETS[sheet](profile);
}
