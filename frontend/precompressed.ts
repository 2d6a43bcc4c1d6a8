import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Plugin } from "vite";

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Smaller files do not benefit from compression. */
const MIN_BYTES = 1_000;

/**
 * Writes brotli and gzip versions of each text file at maximum compression, which the gateway serves as they are. The page is
 * excluded, because the gateway changes it per request.
 */
export function precompressed(): Plugin {
  return {
    name: "precompressed",
    apply: "build",
    async writeBundle({ dir = "dist" }, bundle) {
      const files = Object.values(bundle).filter(({ fileName }) => /\.(js|css|svg|json)$/.test(fileName));
      await Promise.all(
        files.map(async (file) => {
          const text = Buffer.from(file.type === "chunk" ? file.code : file.source);
          if (text.length < MIN_BYTES) return;
          await writeFile(join(dir, `${file.fileName}.br`), await brotliAsync(text));
          await writeFile(join(dir, `${file.fileName}.gz`), await gzipAsync(text, { level: 9 }));
        }),
      );
    },
  };
}
