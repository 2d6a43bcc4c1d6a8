import { fallback, type GenericSchema, optional } from "valibot";

/** A search parameter that is dropped if it is missing or invalid, because anyone can type an address. */
export const searchParam = <const Schema extends GenericSchema>(schema: Schema) =>
  fallback(optional(schema), undefined);
