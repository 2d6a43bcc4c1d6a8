import type { QueryClient } from "@tanstack/react-query";
import type { AnyRouter } from "@tanstack/react-router";
import { device } from "@/state/device";
import { listenToShell, sendToShell } from "./bridge";
import { PROTOCOL_VERSION } from "./catalog";
import { openLinksInShell } from "./links";
import { receiveNavigate, receiveSession, sendRouteChanges } from "./navigation";
import { receivePushToken } from "./push-token";
import { sendSession } from "./session";

/** Starts the exchange with the native shell. `ping` informs the shell that the app listens. Returns a function that ends it. */
export function startBridge(router: AnyRouter, queryClient: QueryClient): () => void {
  const stops = [
    receivePing(),
    receiveNavigate(router),
    receiveSession(),
    openLinksInShell(),
    receivePushToken(),
  ];
  sendToShell("ping", { protocolVersion: PROTOCOL_VERSION });
  stops.push(sendSession(queryClient), sendRouteChanges(router));
  return () => {
    for (const stop of stops) stop();
  };
}

/** Stores the device and the version of the shell. */
function receivePing(): () => void {
  return listenToShell("ping", ({ device: source, version }) => {
    device.sourceDevice.set(source);
    device.deviceVersion.set(version);
  });
}
