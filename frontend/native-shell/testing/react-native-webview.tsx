/** A web view for tests, which records its props and the messages to the app. */

import { type ReactNode, type Ref, useImperativeHandle } from "react";
import type { WebViewProps } from "react-native-webview";
import { vi } from "vitest";

export const webView = { postMessage: vi.fn(), goBack: vi.fn(), props: {} as WebViewProps };

export function WebView({ ref, ...props }: WebViewProps & { ref: Ref<unknown> }): ReactNode {
  webView.props = props;
  useImperativeHandle(ref, () => webView, []);
  return null;
}
