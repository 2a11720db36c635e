import type { StreamedBody } from '../../contract/streamedBody';

/** Wraps a body so that it reports how many of its bytes were read so far. */
export function countingBody({ byteLength, open }: StreamedBody, onSent: (bytes: number) => void): StreamedBody {
  return {
    byteLength,
    async *open(signal) {
      let sent = 0;
      for await (const piece of open(signal)) {
        yield piece;
        sent += piece.byteLength;
        onSent(sent);
      }
    },
  };
}
