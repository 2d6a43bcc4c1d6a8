/**
 * The messages between the app and a native shell (specification section 7). Types, validation of received messages and the JSON
 * Schema come from this file; `docs/native-shell.md` describes it for native teams. It imports nothing of the app, so that a shell
 * written in TypeScript can use a copy.
 */
import {
  boolean,
  type GenericSchema,
  type InferOutput,
  integer,
  maxValue,
  minValue,
  nullable,
  number,
  object,
  optional,
  picklist,
  pipe,
  regex,
  string,
} from "valibot";

/** Increases with every change that a shell of an older version cannot ignore. */
export const PROTOCOL_VERSION = 1;

const noFields = object({});
const webUrl = pipe(string(), regex(/^https?:\/\//));
/** A page of another site, a phone number or an email address. */
const externalUrl = pipe(string(), regex(/^(https?:\/\/|tel:|sms:|mailto:)/));
const cents = pipe(number(), integer(), minValue(1));

/** Messages of the app to the shell. */
export const sentMessages = {
  ping: object({ protocolVersion: number() }),
  session: object({ signedIn: boolean() }),
  user: object({
    id: string(),
    email: string(),
    firstName: string(),
    lastName: string(),
    phone: string(),
    shareCode: string(),
    points: nullable(pipe(number(), integer())),
  }),
  logout: noFields,
  "route-change": object({ pathname: string(), route: string(), title: string() }),
  "geo-request": noFields,
  share: object({ title: optional(string()), text: optional(string()), url: webUrl }),
  payment: object({ amount: cents }),
  "external-link": object({ url: externalUrl }),
  "external-map-link": object({ url: webUrl, destination: string() }),
  "push-notification-request": noFields,
  "review-request": noFields,
} satisfies Record<string, GenericSchema>;

/** Messages of the shell to the app. */
export const receivedMessages = {
  ping: object({ device: picklist(["ios", "android"]), version: string() }),
  session: object({ code: string() }),
  navigate: object({
    pathname: optional(string()),
    url: optional(string()),
    replace: optional(boolean()),
  }),
  "geo-request": object({
    latitude: optional(pipe(number(), minValue(-90), maxValue(90))),
    longitude: optional(pipe(number(), minValue(-180), maxValue(180))),
    error: optional(picklist(["denied", "unavailable"])),
  }),
  share: object({ shared: boolean() }),
  payment: object({ paymentMethodId: optional(nullable(string())) }),
  "push-notification-request": object({ token: nullable(string()) }),
  "review-request": object({ shown: boolean() }),
} satisfies Record<string, GenericSchema>;

export type SentName = keyof typeof sentMessages;
export type ReceivedName = keyof typeof receivedMessages;
export type SentDetail<Name extends SentName> = InferOutput<(typeof sentMessages)[Name]>;
export type ReceivedDetail<Name extends ReceivedName> = InferOutput<(typeof receivedMessages)[Name]>;

/** Messages of the app that the shell replies to with a message of the same name. */
export type RequestName = "geo-request" | "share" | "payment" | "review-request";
