import { act, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { device } from "@/state/device";
import { requestReview } from "./review";

const postMessage = vi.fn();
const sent = () => postMessage.mock.calls.map(([text]) => JSON.parse(text));

beforeEach(() => {
  postMessage.mockReset();
  window.ReactNativeWebView = { postMessage };
});

afterEach(() => {
  delete window.ReactNativeWebView;
});

describe("the review request", () => {
  const reply = (shown: boolean) =>
    act(async () => void window.dispatchEvent(new CustomEvent("review-request", { detail: { shown } })));

  it("is sent after a good rating, once", async () => {
    const request = requestReview(5);
    await waitFor(() => expect(sent()).toEqual([{ eventName: "review-request", detail: {} }]));
    await reply(true);
    await request;
    expect(device.reviewRequested.get()).toBe(true);
    await requestReview(5);
    expect(sent()).toHaveLength(1);
  });

  it("is sent again if the app store showed no dialog", async () => {
    const request = requestReview(4);
    await reply(false);
    await request;
    expect(device.reviewRequested.get()).toBe(false);
  });

  it("is not sent after a bad rating", async () => {
    await requestReview(3);
    expect(sent()).toEqual([]);
  });
});
