import { ifFits, Misfit, object, type Shape, text } from "@/lib/shape";

const path: Shape<string> = (raw) => {
  const address = text(raw);
  // To a browser "//elsewhere" and "/\elsewhere" are other sites.
  if (!/^\/(?![/\\])/.test(address)) throw new Misfit("not a path of this app");
  return address;
};

/** Where the person wanted to go, in this app only. */
export const nextFields = { next: ifFits(path) };

/** The search parameters of the sign-in screens. */
export const nextSearch = object(nextFields);
