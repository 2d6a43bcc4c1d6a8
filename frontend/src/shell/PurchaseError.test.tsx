import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { ApiError, NetworkError } from "@/api/errors";
import { PurchaseFailedError } from "@/provider/purchase";
import { ScriptError } from "@/provider/script";
import { PurchaseError } from "./PurchaseError";

it.each([
  [new PurchaseFailedError(), "The payment didn't go through. You weren't charged."],
  [new ScriptError(), "We couldn't load your bank's check. Tap again; you won't be charged twice."],
  [new NetworkError("network error"), "We lost the connection. Tap again; you won't be charged twice."],
  [
    new ApiError(500, "", [], null),
    "This is taking longer than expected. Tap again; you won't be charged twice.",
  ],
])("explains %s", (error, text) => {
  render(<PurchaseError error={error} />);
  expect(screen.getByRole("alert")).toHaveTextContent(text);
});
