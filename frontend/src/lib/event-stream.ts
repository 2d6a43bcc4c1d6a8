/** Delay before a rejected stream is reopened: the gateway's `Retry-After`, which EventSource does not expose. */
export const REOPEN_DELAY_MS = 30_000;

interface EventStream {
  url: string;
  onConnection: (isConnected: boolean) => void;
  /** Handlers by the name of the event. They receive the parsed data. Malformed data is ignored. */
  onEvent: Readonly<Record<string, (data: unknown) => void>>;
}

/** Opens a stream of server-sent events and keeps it open. Returns a function that closes it. */
export function openEventStream({ url, onConnection, onEvent }: EventStream): () => void {
  let source: EventSource;
  let reopenTimer: number | undefined;
  const open = () => {
    source = new EventSource(url);
    source.addEventListener("open", () => onConnection(true));
    source.addEventListener("error", () => {
      onConnection(false);
      // The browser reconnects a broken stream, but not a rejected one (for example, too many open streams).
      if (source.readyState === EventSource.CLOSED) reopenTimer = window.setTimeout(open, REOPEN_DELAY_MS);
    });
    for (const [name, handle] of Object.entries(onEvent)) {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => {
        const parsed = parseJson(data);
        if (parsed !== undefined) handle(parsed);
      });
    }
  };
  open();
  return () => {
    window.clearTimeout(reopenTimer);
    source.close();
    onConnection(false);
  };
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
