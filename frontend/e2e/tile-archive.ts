const HEADER_BYTES = 127;
const NO_COMPRESSION = 1;
const VECTOR_TILES = 1;

/** An empty layer `earth` of a Mapbox vector tile: version 2, its name, and an extent of 4096. */
const TILE = Buffer.from([0x1a, 0x0c, 0x78, 0x02, 0x0a, 0x05, ...Buffer.from("earth"), 0x28, 0x80, 0x20]);

interface TileArchive {
  content: Buffer;
  /** The range of its only tile, as browsers request it. */
  tileRange: string;
}

/** Returns a PMTiles archive (version 3) with the tile of the whole world. */
export function createTileArchive(attribution: string): TileArchive {
  const metadata = Buffer.from(JSON.stringify({ attribution, vector_layers: [{ id: "earth", fields: {} }] }));
  // One entry: tile 0, once, with its length, at the start of the tiles.
  const directory = Buffer.from([1, 0, 1, TILE.length, 1]);
  const tileOffset = HEADER_BYTES + directory.length + metadata.length;
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("PMTiles");
  header.writeUInt8(3, 7);
  const positions = [
    ...[HEADER_BYTES, directory.length],
    ...[HEADER_BYTES + directory.length, metadata.length],
    ...[tileOffset, 0],
    ...[tileOffset, TILE.length],
    // Addressed tiles, entries and contents.
    ...[1, 1, 1],
  ];
  for (const [index, value] of positions.entries()) header.writeBigUInt64LE(BigInt(value), 8 + 8 * index);
  header.writeUInt8(1, 96);
  header.writeUInt8(NO_COMPRESSION, 97);
  header.writeUInt8(NO_COMPRESSION, 98);
  header.writeUInt8(VECTOR_TILES, 99);
  for (const [index, degrees] of [-180, -85, 180, 85].entries()) {
    header.writeInt32LE(degrees * 1e7, 102 + 4 * index);
  }
  return {
    content: Buffer.concat([header, directory, metadata, TILE]),
    tileRange: `bytes=${tileOffset}-${tileOffset + TILE.length - 1}`,
  };
}
