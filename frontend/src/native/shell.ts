/** The transports of native shells. Separate from the bridge, which loads only inside a shell. */

declare global {
  interface Window {
    /** Flutter (`flutter_inappwebview`). `callHandler` is missing until the event `flutterInAppWebViewPlatformReady`. */
    flutter_inappwebview?: { callHandler?(name: string, detail: unknown): Promise<unknown> };
    /** React Native (`react-native-webview`). */
    ReactNativeWebView?: { postMessage(message: string): void };
  }
}

/** Returns whether the app runs inside a native shell. */
export function isInNativeShell(): boolean {
  return Boolean(window.flutter_inappwebview ?? window.ReactNativeWebView);
}
