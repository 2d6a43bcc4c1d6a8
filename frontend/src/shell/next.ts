import * as z from "zod/mini";

/** The search parameters of the sign-in screens: `next` is where the person wanted to go, in this app only. */
export const nextSearch = z.object({
  next: z.catch(z.optional(z.string().check(z.regex(/^\/(?![/\\])/))), undefined),
});
