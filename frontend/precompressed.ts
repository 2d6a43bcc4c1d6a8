import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Plugin } from "vite";

const brotlied = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Below this, what is saved is less than the headers that say so. */
const WORTH_IT = 1_000;

/**
 * Writes each text file of the build compressed beside itself, for the gateway to send as it is: as small as it gets,
 * where compressing for each request would take time or leave a sixth of the bytes in. The page itself is written
 * anew by the gateway.
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
          if (text.length < WORTH_IT) return;
          await writeFile(join(dir, `${file.fileName}.br`), await brotlied(text));
          await writeFile(join(dir, `${file.fileName}.gz`), await gzipped(text, { level: 9 }));
        }),
      );
    },
  };
}
