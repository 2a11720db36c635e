import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { PassContext } from '../files/lineFile';
import { type LineMap, parseLineMap, readLineMap } from '../files/lineMap';
import { idOf, type WalkedLine, walkRequests } from '../files/requestWalk';

/** A request file as it was submitted. */
export interface SubmittedFile {
  readonly path: string;
  /** `lines.tsv` of the submission. */
  readonly linesPath: string;
  readonly sha256: string;
}

/** Reads the line map of a submission. Returns an empty map if the file is missing: the upload was cut off, or the list was lost later. */
export function readSubmittedLines(linesPath: string): LineMap {
  return existsSync(linesPath) ? readLineMap(linesPath) : parseLineMap(new Uint8Array());
}

/**
 * Visits the requests that were sent from a file and are still in it, found by id on any line. If an id occurs twice, the first one counts.
 * Bare message params have no ids, so they are only visited if the file is byte for byte unchanged. Whether it is unchanged is only known
 * after reading the whole file, so bare params are visited last. Returns the state of the file compared with the content that was sent.
 * Blocks, so it runs in a thread.
 */
export function findSubmitted(
  { path, sha256 }: SubmittedFile,
  map: LineMap,
  context: PassContext,
  visit: (number: number, line: WalkedLine) => void,
): 'same' | 'changed' | 'gone' {
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
      const id = line.kind === 'request' ? idOf(line) : undefined;
      const number = id === undefined ? -1 : map.ids.findText(id);
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
