import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { modals } from "@/shell/modals";
import { device } from "@/state/device";
import { server } from "./server";

// A busy machine is slow, not wrong: what a test waits for may take its time there.
configure({ asyncUtilTimeout: 10_000 });

const unhandled: string[] = [];

beforeAll(() =>
  server.listen({
    onUnhandledFrame: ({ frame, defaults }) => {
      const { request } = frame.data as { request?: Request };
      // Checked below too: the failure alone would only look like a missing network to the code under test.
      unhandled.push(request ? `${request.method} ${request.url}` : "a socket");
      defaults.error();
    },
  }),
);

beforeEach(() => {
  // jsdom draws nothing, so it knows neither of these.
  window.scrollTo = () => undefined;
  window.matchMedia ??= (media: string) =>
    Object.assign(new EventTarget(), { media, matches: false, onchange: null }) as unknown as MediaQueryList;
});

afterEach(() => {
  modals.closeAll();
  cleanup();
  server.resetHandlers();
  for (const item of Object.values(device)) item.clear();
  localStorage.clear();
  sessionStorage.clear();
  vi.useRealTimers();
  expect(unhandled.splice(0), "requests that no handler of the test answers").toEqual([]);
});

afterAll(() => server.close());
