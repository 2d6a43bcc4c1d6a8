import { object, picklist, pipe, regex, string } from "valibot";
import { searchParam } from "@/lib/search";

/** A path of this app. Browsers resolve "//host" and "/\\host" to other sites. */
const path = pipe(string(), regex(/^\/(?![/\\])/));

/** The path to return to, for example after signing in. */
export const nextFields = { next: searchParam(path) };

/** The search parameters of the sign-in screens. `reason`: why the consumer has to sign in again. */
export const nextSearch = object({ ...nextFields, reason: searchParam(picklist(["session-ended"])) });
