import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { makeOrder } from "@/testing/order";
import { maya, renderRoute } from "@/testing/render-route";
import { mockGet, server } from "@/testing/server";

const open = async (path: string, options: Parameters<typeof renderRoute>[1]) => {
  server.use(mockGet("/stores/list", { stores: [] }));
  await renderRoute(path, options);
  await screen.findByRole("heading", { level: 1 });
};

it("marks the orders with a red dot while one is active", async () => {
  await open("/explore", { session: maya, activeOrders: [makeOrder("Preparing")] });
  const link = await screen.findByRole("link", { name: /^Order in progress:\s*Orders$/ });
  expect(link.querySelector(".bg-badge")).toBeInTheDocument();
});

it("shows the plain icon without active orders", async () => {
  await open("/explore", { session: maya });
  expect(await screen.findByRole("link", { name: "Orders" })).toBeInTheDocument();
  expect(document.querySelector(".bg-badge")).toBeNull();
});

it("is hidden on screens without a tab", async () => {
  await open("/sign-in/getting-started", {});
  expect(screen.queryByRole("navigation", { name: "Main" })).toBeNull();
});
