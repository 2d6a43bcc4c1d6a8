import { expect, it } from "vitest";
import { ApiError, NetworkError } from "@/api/errors";
import { formatOutcome } from "./format-outcome";

it.each([
  [new NetworkError("network error"), "We lost the connection.", "Tap again; you won't be charged twice."],
  [
    new ApiError(503, "", [], null),
    "This is taking longer than expected.",
    "Tap again; you won't be charged twice.",
  ],
  [new ApiError(429, "", [], null), "We couldn't send your order.", "Too many tries. Please wait a moment."],
])("explains %s", (error, title, text) => {
  expect(formatOutcome({ kind: "unknown", error })).toEqual({ title, text });
});
