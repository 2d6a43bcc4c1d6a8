import { object, pipe, regex, string } from "valibot";
import { searchParam } from "@/lib/search";

/** A path of this app. Browsers resolve "//host" and "/\\host" to other sites. */
const path = pipe(string(), regex(/^\/(?![/\\])/));

/** Where the person wanted to go, in this app only. */
export const nextFields = { next: searchParam(path) };

/** The search parameters of the sign-in screens. */
export const nextSearch = object(nextFields);
