import "@testing-library/jest-dom/vitest";
import { act, cleanup, configure, fireEvent } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { modals } from "@/shell/modals";
import { device } from "@/state/device";
import { removedOptions, storeItemOptions } from "@/state/item-options";
import { runCleanups } from "./cleanups";
import { server } from "./server";

// Generous, because a busy machine is slow.
configure({ asyncUtilTimeout: 25_000 });

const unhandled: string[] = [];

beforeAll(() =>
  server.listen({
    onUnhandledFrame: ({ frame, defaults }) => {
      const { request } = frame.data as { request?: Request };
      // Checked after each test as well, because the app treats the failed request as a network error.
      unhandled.push(request ? `${request.method} ${request.url}` : "a socket");
      defaults.error();
    },
  }),
);

beforeEach(() => {
  // jsdom implements none of these.
  window.scrollTo = () => undefined;
  Element.prototype.scrollIntoView ??= () => undefined;
  window.matchMedia ??= (media: string) =>
    Object.assign(new EventTarget(), { media, matches: false, onchange: null }) as unknown as MediaQueryList;
});

/** Toasts leave after an animation, which jsdom does not run. Those that stay would delay the toasts of later tests. */
async function removeToasts() {
  const shown = () => document.querySelectorAll(".Toastify__toast-container > *");
  if (shown().length === 0) return;
  const { toast } = await import("react-toastify");
  act(() => {
    toast.clearWaitingQueue();
    toast.dismiss();
  });
  for (const element of shown()) fireEvent.animationEnd(element);
  await vi.waitFor(() => expect(shown()).toHaveLength(0));
}

afterEach(async () => {
  vi.useRealTimers();
  runCleanups();
  await removeToasts();
  cleanup();
  // A request that was just sent looks up its handler in the next tasks.
  await new Promise((resolve) => setTimeout(resolve, 5));
  // No pause between these: what still runs would see one without the other.
  modals.closeAll();
  server.resetHandlers();
  for (const item of [...Object.values(device), storeItemOptions, removedOptions]) item.clear();
  localStorage.clear();
  sessionStorage.clear();
  expect(unhandled.splice(0), "requests without a handler").toEqual([]);
});

afterAll(() => server.close());
