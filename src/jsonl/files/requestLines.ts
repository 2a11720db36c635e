import { createHash } from 'node:crypto';
import { derivedId } from './derivedIds';
import { SourceChangedError } from './fileState';
import type { LineMap } from './lineMap';
import { idOf, type WalkedLine, walkRequests } from './requestWalk';

/**
 * Finds every request of a submission in its source file. Each must still be on its line with its id, or the derived id for bare params.
 * Otherwise throws a `SourceChangedError` that names the request. `id` is the number of the request in the line map. Returns whether the file
 * has the bytes that were submitted, or `undefined` if no hash was given. Blocks, so use it in a worker thread.
 */
export function forEachRequest(
  path: string,
  { ids, lines }: LineMap,
  sha256: string | undefined,
  onRequest: (id: number, line: WalkedLine) => void,
  onRead: (doneBytes: number) => void,
): boolean | undefined {
  const hash = sha256 === undefined ? undefined : createHash('sha256');
  let next = 0;
  const demand = (isThere: boolean) => {
    if (!isThere) {
      const place = `request "${ids.text(next)}" is no longer on line ${(lines[next] as number) + 1}`;
      throw new SourceChangedError(`${path} has changed since it was submitted: ${place}.`);
    }
  };
  walkRequests(
    path,
    line => {
      if (line.line === lines[next]) {
        const id = line.kind === 'params' ? derivedId(line.line) : idOf(line);
        demand(line.paramsStart >= 0 && id === ids.text(next));
        onRequest(next++, line);
      }
    },
    (doneBytes, chunk) => {
      hash?.update(chunk);
      onRead(doneBytes);
    },
  );
  demand(next === lines.length);
  return hash && hash.digest('hex') === sha256;
}
