import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { server } from "@/testing/server";
import { settings } from "@/testing/settings";
import { useSaveSettings } from "./mutations";
import { type Settings, settingsQuery } from "./queries";

/** The settings on the server. Calls are made one at a time; the first one fails, later than the others would respond. */
function serveSettings() {
  let stored = settings;
  const sent: unknown[] = [];
  server.use(
    http.get("*/api/consumer/user/settings", () =>
      HttpResponse.json({ success: true, data: stored, errors: [] }),
    ),
    http.post("*/api/consumer/user/save-settings", async ({ request }) => {
      const changes = (await request.json()) as { notifications: Partial<Settings["notifications"]> };
      sent.push(changes.notifications);
      if (sent.length === 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        return HttpResponse.json({ success: false, data: null, errors: [], reason: "" }, { status: 503 });
      }
      stored = { ...stored, notifications: { ...stored.notifications, ...changes.notifications } };
      return HttpResponse.json({ success: true, data: stored, errors: [] });
    }),
  );
  return { sent, stored: () => stored };
}

function openSettings() {
  const queryClient = new QueryClient();
  queryClient.setQueryData(settingsQuery.queryKey, { ...settings, vehicle: "Red Mini" });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(() => useSaveSettings(), { wrapper });
  const shown = () => queryClient.getQueryData(settingsQuery.queryKey);
  return { save: result.current.mutate, shown, queryClient };
}

it("undoes only the change that failed, and sends changes in their order", async () => {
  const { sent } = serveSettings();
  const { save, shown, queryClient } = openSettings();
  act(() => {
    save({ notifications: { push: false } });
    save({ notifications: { sms: true } });
  });
  await waitFor(() => expect(shown()?.notifications).toEqual({ push: false, sms: true, email: false }));
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(shown()?.notifications).toEqual({ push: true, sms: true, email: false });
  expect(sent).toEqual([{ push: false }, { sms: true }]);
});

it("reads the settings again after a failed change", async () => {
  const { stored } = serveSettings();
  const { save, shown, queryClient } = openSettings();
  act(() => save({ vehicle: "Blue Honda" }));
  await waitFor(() => expect(queryClient.isMutating()).toBe(0));
  expect(shown()?.vehicle).toBe("Red Mini");
  expect(queryClient.getQueryState(settingsQuery.queryKey)?.isInvalidated).toBe(true);
  await queryClient.fetchQuery(settingsQuery);
  expect(shown()).toEqual(stored());
});
