import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { sunset } from "@/features/stores/testing/stores";
import { maya, renderRoute } from "@/testing/render-route";
import { answers, refusesGet, server } from "@/testing/server";

it("shows stores and the way in to who is not signed in", async () => {
  server.use(answers("/stores/list", { stores: [sunset] }));
  await renderRoute("/");
  expect(
    await screen.findByRole("heading", { level: 1, name: /^Good (morning|afternoon|evening)$/ }),
  ).toBeVisible();
  expect(await screen.findByRole("link", { name: "Sign in" })).toHaveAttribute(
    "href",
    "/sign-in/getting-started",
  );
  expect(await screen.findByRole("link", { name: /Sunset & Maltman/ })).toBeInTheDocument();
});

it("greets by name, and stands without the parts that are away", async () => {
  server.use(
    answers("/stores/list", { stores: [sunset] }),
    answers("/user/orders", { orders: [] }),
    answers("/inbox/list", { messages: [], total: 2, unseen: 2 }),
    refusesGet("/user/points", { status: 404 }),
  );
  await renderRoute("/", { session: maya });
  expect(await screen.findByRole("heading", { level: 1, name: /, Maya$/ })).toBeVisible();
  expect(await screen.findByRole("link", { name: "Choose a store" })).toBeInTheDocument();
  expect(await screen.findByRole("link", { name: /Sunset & Maltman/ })).toBeInTheDocument();
});
