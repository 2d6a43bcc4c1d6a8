/** The parts of React Native that the example uses, for tests: React Native itself runs on devices only. */
import type { ReactNode } from "react";
import { vi } from "vitest";

export const Platform = { OS: "android", Version: 34 };
export const Linking = { openURL: vi.fn(async (_url: string) => true) };
export const Share = {
  sharedAction: "sharedAction",
  share: vi.fn(async (_content: object) => ({ action: "sharedAction" })),
};
/** The result of a request for permissions. */
export const toResults = (permissions: readonly string[], result: string): Record<string, string> =>
  Object.fromEntries(permissions.map((permission) => [permission, result]));
export const PermissionsAndroid = {
  RESULTS: { GRANTED: "granted" },
  check: vi.fn(async (_permission: string) => false),
  requestMultiple: vi.fn(async (permissions: string[]) => toResults(permissions, "granted")),
};
export const StyleSheet = { create: <Styles,>(styles: Styles): Styles => styles };
export const SafeAreaView = ({ children }: { children: ReactNode }): ReactNode => <div>{children}</div>;

const backListeners = new Set<() => boolean>();
export const BackHandler = {
  addEventListener: (_name: string, listener: () => boolean) => {
    backListeners.add(listener);
    return { remove: () => backListeners.delete(listener) };
  },
};
/** Presses Android's back button. Returns whether the app handled it. */
export const pressBack = (): boolean => [...backListeners].some((listener) => listener());
