import type { GetPath, PostPath } from "@/api/contract";

/** Completes the path of a call. The type remains the template of the contract. */
export function withId<Path extends GetPath | PostPath>(path: Path, id: string): Path {
  return path.replace("{id}", encodeURIComponent(id)) as Path;
}
