/** Reads all bytes of a stream. If the stream has more than `most` bytes, stops reading and returns `undefined`. */
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
