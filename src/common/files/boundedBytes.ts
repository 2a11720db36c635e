/** All bytes of a stream; undefined once there are more than `most`: then the rest is not read. */
export async function boundedBytes(body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > most) {
      return undefined;
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
