import { expect, it } from "vitest";
import { makeStoreOrder } from "@/testing/order";
import { arrangeBoard, formatGuest, formatTimeLeft, isOnBoard, nextStep, urgency } from "./board";

const order = (orderId: string, ...[status, overrides]: Parameters<typeof makeStoreOrder>) =>
  makeStoreOrder(status, { orderId, ...overrides });
const at = (minute: number) => `2026-11-20T16:${String(minute).padStart(2, "0")}:00Z`;

const readyAt = (minute: number) =>
  makeStoreOrder("Ready").history.map((change) => ({ ...change, at: at(minute) }));

it("puts the order that is in the making first and the others in make order", () => {
  const board = arrangeBoard([
    order("late", "Accepted", { startAt: at(40) }),
    order("new", "Placed", { startAt: at(31) }),
    order("making", "Preparing", { startAt: at(33) }),
    order("also-making", "Preparing", { startAt: at(35) }),
    order("ready", "Ready"),
    order("gone", "Completed"),
  ]);
  expect(board.now?.orderId).toBe("making");
  expect(board.next.map(({ orderId }) => orderId)).toEqual(["new", "also-making", "late"]);
  expect(board.shelf.map(({ orderId }) => orderId)).toEqual(["ready"]);
});

it("makes the order that has to start first if none is in the making", () => {
  const orders = [order("b", "Accepted", { startAt: at(40) }), order("a", "Placed", { startAt: at(31) })];
  expect(arrangeBoard(orders).now?.orderId).toBe("a");
  expect(arrangeBoard([])).toEqual({ now: undefined, next: [], shelf: [] });
});

it("lists consumers who have arrived first on the shelf", () => {
  const board = arrangeBoard([
    order("waiting", "Ready", { history: readyAt(30) }),
    order("waiting-longer", "Ready", { history: readyAt(28) }),
    order("here", "Ready", { arrivedAt: at(35) }),
  ]);
  expect(board.shelf.map(({ orderId }) => orderId)).toEqual(["here", "waiting-longer", "waiting"]);
});

it("has one step for each state on the board", () => {
  expect(
    (["Placed", "Accepted", "Preparing", "Ready"] as const).map((status) => nextStep({ status })),
  ).toEqual(["accept", "start", "ready", "complete"]);
  for (const status of ["Completed", "Cancelled", "Rejected", "Scheduled"] as const) {
    expect(isOnBoard({ status })).toBe(false);
  }
});

it("formats the time left, and how late an order is", () => {
  const now = new Date(at(30));
  expect(formatTimeLeft(at(36), now)).toBe("6 min left");
  expect(formatTimeLeft(at(30), now)).toBe("Due now");
  expect(formatTimeLeft(at(27), now)).toBe("3 min late");
});

it("fills the bar as the start approaches", () => {
  const now = new Date(at(30));
  expect(
    [at(55), at(35), at(20)].map((startAt) => urgency(order("a", "Accepted", { startAt }), now)),
  ).toEqual([6, 50, 100]);
});

it("formats who picks up an order, and where they are", () => {
  const guest = (overrides: Parameters<typeof makeStoreOrder>[1]) =>
    formatGuest(makeStoreOrder("Ready", overrides));
  expect(guest({})).toBe("Maya");
  expect(guest({ arrivedAt: at(30) })).toBe("Maya, at the counter");
  expect(guest({ pickup: "curbside", vehicle: "blue Fiat" })).toBe("Maya, curbside, blue Fiat");
  expect(guest({ pickup: "curbside", vehicle: "blue Fiat", arrivedAt: at(30) })).toBe(
    "Maya, at the curb, blue Fiat",
  );
});
