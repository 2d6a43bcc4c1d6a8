import { act } from "@testing-library/react";
import { vi } from "vitest";

/** A mock of EventSource, which reconnects a broken stream but not a rejected one. */
export class MockEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static opened: MockEventSource[] = [];
  readyState = 0;

  constructor(readonly url: string) {
    super();
    MockEventSource.opened.push(this);
  }

  /** Replaces the EventSource of the browser, which jsdom does not have. */
  static install() {
    MockEventSource.opened = [];
    vi.stubGlobal("EventSource", MockEventSource);
  }

  connect() {
    this.readyState = 1;
    act(() => void this.dispatchEvent(new Event("open")));
  }

  disconnect() {
    this.readyState = 0;
    act(() => void this.dispatchEvent(new Event("error")));
  }

  reject() {
    this.readyState = MockEventSource.CLOSED;
    act(() => void this.dispatchEvent(new Event("error")));
  }

  emit(event: string, data: unknown) {
    act(() => void this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) })));
  }

  close() {
    this.readyState = MockEventSource.CLOSED;
  }
}
