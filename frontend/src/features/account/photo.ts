/** The formats that the server accepts. */
export const PHOTO_TYPES = ["image/jpeg", "image/png", "image/webp"] as const;

/** The server's limit: 8 MiB. */
const MAX_PHOTO_BYTES = 8 * 1_048_576;

/** Returns why the file cannot be a photo, or undefined. The server checks the content again. */
export function checkPhoto({ type, size }: Pick<File, "type" | "size">): string | undefined {
  if (!PHOTO_TYPES.some((accepted) => accepted === type)) return "Choose a JPEG, PNG or WebP photo.";
  if (size > MAX_PHOTO_BYTES) return "Choose a photo smaller than 8 MB.";
  return undefined;
}
