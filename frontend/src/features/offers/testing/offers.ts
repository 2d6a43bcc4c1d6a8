import type { Challenge, Offer, OfferList } from "../queries";

export const offer = (overrides: Partial<Offer> = {}): Offer => ({
  offerId: "monday",
  title: "$1 off any cold brew",
  body: "Start the week with a cold one.",
  terms: "One drink an order.",
  weekdays: [1],
  isActive: true,
  isAppOnly: false,
  promoCode: "MONDAY1",
  isUsed: false,
  endsAt: null,
  ...overrides,
});

export const challenge = (overrides: Partial<Challenge> = {}): Challenge => ({
  challengeId: "five-orders",
  title: "Five in a month",
  body: "Pick up five orders in November.",
  goal: "orders",
  target: 5,
  progress: 2,
  points: 50,
  state: "open",
  startsAt: "2026-11-01T08:00:00Z",
  endsAt: "2026-12-01T08:00:00Z",
  claimedAt: null,
  ...overrides,
});

export const offerList = (overrides: Partial<OfferList> = {}): OfferList => ({
  day: "2026-11-23",
  isBonusDay: true,
  offers: [offer()],
  challenges: [challenge()],
  ...overrides,
});
