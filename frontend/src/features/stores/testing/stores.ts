import type { Store } from "../queries";

export const sunset: Store = {
  storeId: "sunset",
  companyId: "juniper",
  companyName: "Juniper Lane Coffee",
  name: "Sunset & Maltman",
  street: "3500 Sunset Blvd",
  city: "Los Angeles",
  region: "CA",
  postcode: "90026",
  phone: "",
  storePhoto: "/api/consumer/store/photo?storeId=sunset",
  latitude: 34.0907,
  longitude: -118.2786,
  timeZone: "America/Los_Angeles",
  taxRatePpm: 95_000,
  curbside: true,
  openState: "open",
  hoursToday: "Open until 8:00 PM",
  week: [],
  waitMinutes: 9,
  distanceMeters: null,
  favorite: false,
  nextChangeAt: null,
  pause: null,
  specialDays: [],
};

export const echoPark: Store = {
  ...sunset,
  storeId: "echo-park",
  name: "Echo Park Lake",
  street: "751 Echo Park Ave",
  curbside: false,
  openState: "closed",
  hoursToday: "Opens tomorrow at 6:00 AM",
  nextChangeAt: "2026-11-21T14:00:00Z",
};

export const sunsetStatus = {
  storeId: "sunset",
  openState: "open" as const,
  hoursToday: "Open until 8:00 PM",
  waitMinutes: 6,
  nextChangeAt: null,
  pause: null,
  specialDays: [],
  promiseRecord: null,
  rating: null,
};
