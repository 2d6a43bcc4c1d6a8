// biome-ignore lint/correctness/useReactNativePlatformComponents: isGranted uses it on Android only
import { Linking, type Permission, PermissionsAndroid, Platform, Share } from "react-native";
import type { Services } from "./shell";

/** What needs native modules that React Native does not include. The README lists packages for each. */
type NativeModules = Pick<
  Services,
  | "version"
  | "findPosition"
  | "findPushToken"
  | "pay"
  | "requestReview"
  | "recordScreen"
  | "setConsumer"
  | "reportError"
> & {
  /** Registers the device for push notifications. On iOS it asks for permission first. Resolves to the token, or null if declined. */
  registerForPush(): Promise<string | null>;
};

/** Combines the native modules with what React Native includes. */
export function createServices({ registerForPush, ...modules }: NativeModules): Services {
  return {
    ...modules,
    device: Platform.OS === "ios" ? "ios" : "android",
    openUrl: async (url) => void (await Linking.openURL(url)),
    openMap,
    share: async ({ title, text, url }) => {
      const message = [text, url].filter(Boolean).join(" ");
      const content = Platform.OS === "ios" ? { url, ...(text ? { message: text } : {}) } : { message };
      const { action } = await Share.share({ ...(title ? { title } : {}), ...content } as {
        message: string;
      });
      return action === Share.sharedAction;
    },
    findPosition: async () => {
      if (!(await isGranted(...LOCATION_PERMISSIONS))) return { error: "denied" };
      return modules.findPosition();
    },
    requestPushNotifications: async () => {
      // Before Android 13 notifications need no permission.
      const needsPermission = Platform.OS === "android" && Number(Platform.Version) >= 33;
      if (needsPermission && !(await isGranted("android.permission.POST_NOTIFICATIONS"))) return null;
      return registerForPush();
    },
  };
}

/** Some releases of Android 12 ignore a request for the precise location alone. The consumer may allow only the approximate one. */
const LOCATION_PERMISSIONS: Permission[] = [
  "android.permission.ACCESS_FINE_LOCATION",
  "android.permission.ACCESS_COARSE_LOCATION",
];

/** Opens directions in the map app, or the web page if there is none. */
async function openMap(destination: string, url: string): Promise<void> {
  const place = encodeURIComponent(destination);
  const address = Platform.OS === "ios" ? `maps://?daddr=${place}` : `google.navigation:q=${place}`;
  try {
    await Linking.openURL(address);
  } catch {
    await Linking.openURL(url);
  }
}

/** Returns whether one of the permissions is granted. Asks on Android if none is; on iOS the native modules ask. */
async function isGranted(...permissions: Permission[]): Promise<boolean> {
  if (Platform.OS !== "android") return true;
  const known = await Promise.all(permissions.map((permission) => PermissionsAndroid.check(permission)));
  if (known.includes(true)) return true;
  const results = await PermissionsAndroid.requestMultiple(permissions);
  return permissions.some((permission) => results[permission] === PermissionsAndroid.RESULTS.GRANTED);
}
