/** A web view for tests, which records its props and the messages to the app. */

import { type ReactNode, type Ref, useEffect, useImperativeHandle } from "react";
import type { WebViewProps } from "react-native-webview";
import { vi } from "vitest";

export const webView = {
  postMessage: vi.fn(),
  goBack: vi.fn(),
  reload: vi.fn(),
  mounts: 0,
  props: {} as WebViewProps,
};

export function WebView({ ref, ...props }: WebViewProps & { ref: Ref<unknown> }): ReactNode {
  webView.props = props;
  useImperativeHandle(ref, () => webView, []);
  useEffect(() => {
    webView.mounts += 1;
  }, []);
  return null;
}
