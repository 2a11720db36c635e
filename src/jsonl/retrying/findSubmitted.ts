import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { PassContext } from '../files/lineFile';
import { type LineMap, LineMapError, parseLineMap, readLineMap } from '../files/lineMap';
import { idOf, type WalkedLine, walkRequests } from '../files/requestWalk';

/** The list of the requests of a submission. */
export interface SubmittedLines {
  /** `lines.tsv` of the submission. */
  readonly linesPath: string;
  /** True if the submission has a batch, so that the list must exist. */
  readonly isCreated: boolean;
}

/** A request file as it was submitted. */
export interface SubmittedFile extends SubmittedLines {
  readonly path: string;
  readonly sha256: string;
}

/**
 * Reads the line map of a submission. Returns an empty map if the file is missing because the upload was cut off. Throws a `LineMapError`
 * if the list is damaged, or if the list of a batch is missing.
 */
export function readSubmittedLines({ linesPath, isCreated }: SubmittedLines): LineMap {
  return isCreated || existsSync(linesPath) ? readLineMap(linesPath) : noLines;
}

/** The requests of a submitted file. */
export interface SentRequests {
  /** Empty if the list is lost. */
  readonly map: LineMap;
  /** False if the list is lost, or if the lost list of a newer file can have other versions of these requests. */
  readonly isCertain: boolean;
}

/** Reads the line maps of submitted files, oldest first. */
export function readSentRequests(files: readonly SubmittedFile[]): readonly SentRequests[] {
  const lost = new Set<string>();
  const sent = files.toReversed().map((file): SentRequests => {
    try {
      const map = readSubmittedLines(file);
      // Files with the same content, such as the parts of a run, have no other versions.
      return { map, isCertain: [...lost].every(sha256 => sha256 === file.sha256) };
    } catch (error) {
      if (!(error instanceof LineMapError)) {
        throw error;
      }
      lost.add(file.sha256);
      return { map: noLines, isCertain: false };
    }
  });
  return sent.reverse();
}

const noLines = parseLineMap(new Uint8Array());

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
