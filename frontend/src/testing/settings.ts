import type { GetData } from "@/api/contract";
import { mockGet, server } from "./server";

export const settings: GetData<"/user/settings"> = {
  notifications: { push: true, sms: false, email: false },
  vehicle: "",
  timeZone: "America/Los_Angeles",
  pushKey: "",
  autoReload: null,
};

/** Responds to the calls of the account screen. */
export function mockAccount(): void {
  server.use(
    mockGet("/user/settings", settings),
    mockGet("/user/info", {
      id: "consumer-maya",
      firstName: "Maya",
      needsName: false,
      memberSince: "2026-10-15T12:00:00Z",
    }),
    mockGet("/inbox/list", { messages: [], total: 0, unseen: 0 }),
  );
}
