import { type ReactNode, useEffect, useRef, useState } from "react";
import { BackHandler, SafeAreaView, StyleSheet } from "react-native";
import { WebView } from "react-native-webview";
import { createShell, type Services } from "./shell";

interface ShellScreenProps {
  /** The origin of the web app, without a path: `https://order.example.com`. */
  origin: string;
  services: Services;
  /** A page to open, from a link into the app or a notification: `/orders/123`. Pass a new object for each tap. */
  link?: { path: string };
  /** A hand-over code, which signs the consumer in: at the start, or later. */
  code?: string;
}

const LOADING = JSON.stringify({ eventName: "loading" });

/**
 * Runs at the start of each document, unlike `onLoadStart`, which Android also calls for changes of the history. Android may run it late,
 * even after the `ping` of the app, whose scripts run once the document is parsed.
 */
const REPORT_LOADING = `if (document.readyState === "loading") window.ReactNativeWebView.postMessage('${LOADING}');`;

/** The web app on one screen, with all messages of `docs/native-shell.md`. */
export function ShellScreen({ origin, services, link, code }: ShellScreenProps): ReactNode {
  const webView = useRef<WebView>(null);
  const [shell] = useState(() => createShell(services, (text) => webView.current?.postMessage(text)));
  const [canGoBack, setCanGoBack] = useState(false);
  const [startCode] = useState(code);
  const [view, setView] = useState(() => ({
    key: 0,
    uri: code ? `${origin}/?session=${encodeURIComponent(code)}` : origin,
  }));
  const currentUrl = useRef(origin);

  useEffect(() => {
    if (code && code !== startCode) shell.enterSession(code);
  }, [shell, code, startCode]);

  useEffect(() => {
    if (link) shell.navigate({ pathname: link.path });
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
        key={view.key}
        ref={webView}
        source={{ uri: view.uri }}
        injectedJavaScriptBeforeContentLoaded={REPORT_LOADING}
        // Only pages of the app may use the device.
        onMessage={({ nativeEvent: { url, data } }) => {
          if (!isInApp(url, origin)) return;
          if (data === LOADING) shell.startLoading();
          else void shell.receive(data);
        }}
        // The system may end the process of the page while the app is in the background: on iOS the view can load it again, on Android it
        // needs a new view.
        onContentProcessDidTerminate={() => {
          shell.startLoading();
          webView.current?.reload();
        }}
        onRenderProcessGone={() => {
          shell.startLoading();
          setView(({ key }) => ({ key: key + 1, uri: currentUrl.current }));
        }}
        onShouldStartLoadWithRequest={({ url, isTopFrame }) => {
          // The card element of the payment provider is a frame of another origin.
          if (isTopFrame === false || isInApp(url, origin)) return true;
          void services.openUrl(url).catch(services.reportError);
          return false;
        }}
        onNavigationStateChange={({ url, canGoBack }) => {
          if (isInApp(url, origin)) currentUrl.current = url;
          setCanGoBack(canGoBack);
        }}
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
