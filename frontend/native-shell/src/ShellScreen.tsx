import { type ReactNode, useEffect, useRef, useState } from "react";
import { BackHandler, SafeAreaView, StyleSheet } from "react-native";
import { WebView } from "react-native-webview";
import { createShell, type Services } from "./shell";

interface ShellScreenProps {
  /** The origin of the web app, without a path: `https://order.example.com`. */
  origin: string;
  services: Services;
  /** A page to open, from a link into the app or a notification: `/orders/123`. */
  link?: string;
  /** A hand-over code, which signs the consumer in: at the start, or later. */
  code?: string;
}

/** The web app on one screen, with all messages of `docs/native-shell.md`. */
export function ShellScreen({ origin, services, link, code }: ShellScreenProps): ReactNode {
  const webView = useRef<WebView>(null);
  const [shell] = useState(() => createShell(services, (text) => webView.current?.postMessage(text)));
  const [canGoBack, setCanGoBack] = useState(false);
  const [start] = useState(() => ({
    uri: code ? `${origin}/?session=${encodeURIComponent(code)}` : origin,
    code,
  }));

  useEffect(() => {
    if (code && code !== start.code) shell.enterSession(code);
  }, [shell, code, start]);

  useEffect(() => {
    if (link) shell.navigate({ pathname: link });
  }, [shell, link]);

  useEffect(() => {
    const subscription = BackHandler.addEventListener("hardwareBackPress", () => {
      if (canGoBack) webView.current?.goBack();
      return canGoBack;
    });
    return () => subscription.remove();
  }, [canGoBack]);

  return (
    <SafeAreaView style={styles.screen}>
      <WebView
        ref={webView}
        source={{ uri: start.uri }}
        onLoadStart={() => shell.startLoading()}
        // Only pages of the app may use the device.
        onMessage={({ nativeEvent: { url, data } }) => {
          if (isInApp(url, origin)) void shell.receive(data);
        }}
        onShouldStartLoadWithRequest={({ url, isTopFrame }) => {
          // The card element of the payment provider is a frame of another origin.
          if (isTopFrame === false || isInApp(url, origin)) return true;
          void services.openUrl(url).catch(services.reportError);
          return false;
        }}
        onNavigationStateChange={(state) => setCanGoBack(state.canGoBack)}
        allowsBackForwardNavigationGestures
        allowsInlineMediaPlayback
        domStorageEnabled
        sharedCookiesEnabled
      />
    </SafeAreaView>
  );
}

const isInApp = (url: string, origin: string): boolean => url === origin || url.startsWith(`${origin}/`);

const styles = StyleSheet.create({ screen: { flex: 1 } });
