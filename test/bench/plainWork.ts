import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { request } from 'node:http';

/** Calls `take` with the text of each line of a file. */
export function eachLine(file: string, take: (text: string) => void): void {
  const descriptor = openSync(file, 'r');
  const buffer = Buffer.allocUnsafe(2 << 20);
  let kept = 0;
  while (true) {
    const read = readSync(descriptor, buffer, kept, 1 << 20, null);
    if (read === 0) {
      break;
    }
    const end = kept + read;
    let start = 0;
    let lineFeed = buffer.indexOf(10, 0);
    while (lineFeed !== -1 && lineFeed < end) {
      take(buffer.toString('utf8', start, lineFeed));
      start = lineFeed + 1;
      lineFeed = buffer.indexOf(10, start);
    }
    buffer.copyWithin(0, start, end);
    kept = end - start;
  }
  closeSync(descriptor);
}

/**
 * Sends a file of requests as one create, unchecked. Replaces each LF with a comma as it passes. Resolves with the text of the response.
 */
export function splice(baseUrl: string, file: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const { size } = statSync(file);
    const head = '{"requests":[';
    const length = head.length + size - 1 + 2;
    const sent = request(
      `${baseUrl}/v1/messages/batches`,
      { method: 'POST', headers: { ...headers, 'content-type': 'application/json', 'content-length': length } },
      response => {
        let text = '';
        response.setEncoding('utf8').on('data', piece => {
          text += piece;
        });
        response.once('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
      },
    );
    sent.once('error', reject);
    sent.write(head);
    let left = size - 1;
    const source = createReadStream(file, { highWaterMark: 1 << 18 });
    source.on('data', chunk => {
      const bytes = chunk as Buffer;
      for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
        bytes[at] = 44;
      }
      const part = bytes.subarray(0, left);
      left -= part.length;
      if (!sent.write(part)) {
        source.pause();
        sent.once('drain', () => source.resume());
      }
    });
    source.once('end', () => sent.end(']}'));
    source.once('error', reject);
  });
}
