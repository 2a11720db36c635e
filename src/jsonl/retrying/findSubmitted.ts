import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { PassContext } from '../files/lineFile';
import type { LineMap } from '../files/lineMap';
import { idOf, type WalkedLine, walkRequests } from '../files/requestWalk';
import type { SubmittedFile } from './submittedFile';

/** State of a file compared with the content that was sent. */
export type FileFate = 'same' | 'changed' | 'gone';

/**
 * Visits the requests that were sent from a file and are still in it, found by id on any line. If an id occurs twice, the first one counts.
 * Bare message params have no ids, so they are only visited if the file is byte for byte unchanged. That is known at the end, so they are
 * visited last. Blocks, so it runs in a thread.
 */
export function findSubmitted(
  { path, sha256 }: SubmittedFile,
  map: LineMap,
  context: PassContext,
  visit: (number: number, line: WalkedLine) => void,
): FileFate {
  if (!existsSync(path)) {
    return 'gone';
  }
  const visited = new Uint8Array(map.ids.size);
  const hash = createHash('sha256');
  let hasBare = false;
  walkRequests(
    path,
    line => {
      hasBare ||= line.kind === 'params';
      const number = line.kind === 'request' ? numberOf(map, line) : -1;
      if (number >= 0 && visited[number] === 0) {
        visited[number] = 1;
        visit(number, line);
      }
    },
    context,
    bytes => hash.update(bytes),
  );
  const fate = hash.digest('hex') === sha256 ? 'same' : 'changed';
  if (hasBare && fate === 'same') {
    visitBare(path, map, context, visit);
  }
  return fate;
}

function visitBare(path: string, map: LineMap, context: PassContext, visit: (number: number, line: WalkedLine) => void): void {
  let next = 0;
  walkRequests(
    path,
    line => {
      while (next < map.lines.length && (map.lines[next] as number) < line.line) {
        next++;
      }
      if (line.kind === 'params' && map.lines[next] === line.line) {
        visit(next, line);
      }
    },
    { ...context, progress: () => undefined },
  );
}

function numberOf({ ids }: LineMap, line: WalkedLine): number {
  const id = idOf(line);
  return id === undefined ? -1 : ids.findText(id);
}
