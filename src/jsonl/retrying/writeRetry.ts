import { createHash } from 'node:crypto';
import { writeWholeFiles } from '../files/blockWriter';
import type { PassContext } from '../files/lineFile';
import { JsonLine } from '../fixes/jsonLine';
import { removal, replacement } from '../fixes/jsonParts';
import { applyEdits, type TextEdit } from '../fixes/textEdit';
import type { JoinedResults } from '../results/joinedResults';
import { readIndexOf } from '../results/resultsIndexFile';
import { findSubmitted, readSentRequests, type SentRequests, type SubmittedFile } from './findSubmitted';
import { nextMaxTokens, type RequestChange } from './remedyOf';

export interface RetryWriteSource {
  readonly files: readonly SubmittedFile[];
  /** Requests to write with a change, in the form of `RetryGroup.places`. */
  readonly groups: readonly { readonly change: RequestChange | undefined; readonly places: Uint32Array }[];
  /** Requests that are written unchanged, selected by the rows of their answers. */
  readonly answered?: AnsweredRows;
  readonly outPath: string;
}

type AnsweredRows = JoinedResults & { readonly rows: Uint32Array };

/** Thrown if none of the selected requests can be written. */
export class NothingWrittenError extends Error {
  override readonly name = 'NothingWrittenError';

  constructor(unknown: number) {
    super(
      unknown > 0
        ? 'The record of the requests of an earlier batch is missing. Nothing was written.'
        : 'These requests are no longer in their files. Nothing was written.',
    );
  }
}

/**
 * Writes the selected requests to a new file, file by file from the oldest, in line order. Requests are copied unchanged except for the
 * field that a change edits. Bare message params are wrapped with their derived id. The file appears complete or not at all. `gone` counts
 * requests that are no longer in their files, `unknown` requests of a batch whose list is lost. Throws `NothingWrittenError`,
 * `FileWriteError`, and `IndexMismatchError` for `answered`.
 */
export async function writeRetry({ files, groups: planned, answered, outPath }: RetryWriteSource, context: PassContext) {
  const hash = createHash('sha256');
  let written = 0;
  const lists = readSentRequests(files);
  const places = answered && findAnswered(answered, lists);
  const groups = places === undefined ? planned : [...planned, { change: undefined, places }];
  const chosen = countPlaces(planned) + (answered?.rows.length ?? 0);
  // If a list is lost, a row that no other list has can be in this one.
  let unknown = places !== undefined && lists.some(({ isCertain }) => !isCertain) ? chosen - countPlaces(groups) : 0;
  await writeWholeFiles(context, async opened => {
    const out = await opened.create(outPath);
    const put = (bytes: Uint8Array) => {
      hash.update(bytes);
      out.add(bytes);
    };
    for (const [index, file] of files.entries()) {
      const changes = changesOf(groups, index);
      const { map, isCertain } = lists[index] as SentRequests;
      const visit: Parameters<typeof findSubmitted>[3] = (number, { bytes, valueStart, valueEnd, kind }) => {
        if (!changes.has(number)) {
          return;
        }
        const change = changes.get(number);
        const value = bytes.subarray(valueStart, valueEnd);
        if (kind === 'params') {
          put(Buffer.from(`{"custom_id":${JSON.stringify(map.ids.text(number))},"params":`));
        }
        put(change === undefined ? value : changed(value, change));
        put(Buffer.from(kind === 'params' ? '}\n' : '\n'));
        written++;
      };
      if (!isCertain) {
        unknown += changes.size;
      } else if (changes.size > 0) {
        findSubmitted(file, map, context, visit);
      }
    }
    if (written === 0) {
      throw new NothingWrittenError(unknown);
    }
  });
  return { written, sha256: hash.digest('hex'), gone: chosen - written - unknown, unknown };
}

function countPlaces(groups: RetryWriteSource['groups']): number {
  return groups.reduce((sum, { places }) => sum + places.length / 2, 0);
}

/** Returns the change of each selected request of a file, by its number in the map of the file. */
function changesOf(groups: RetryWriteSource['groups'], file: number): ReadonlyMap<number, RequestChange | undefined> {
  const found = new Map<number, RequestChange | undefined>();
  for (const { change, places } of groups) {
    for (let at = 0; at < places.length; at += 2) {
      if (places[at] === file) {
        found.set(places[at + 1] as number, change);
      }
    }
  }
  return found;
}

function changed(value: Buffer, change: RequestChange): Buffer {
  const text = value.toString('utf8');
  const edit = editOf(text, change);
  return edit === undefined ? value : Buffer.from(applyEdits(text, [edit]));
}

/**
 * Returns the positions of the requests that belong to rows of joined results, in the form of `RetryGroup.places`. If several certain files
 * contain an id, the last one wins. Rows without such a file are left out. Throws `IndexMismatchError`.
 */
function findAnswered({ rows, ...joined }: AnsweredRows, lists: readonly SentRequests[]): Uint32Array {
  const { ids, rows: columns } = readIndexOf(joined);
  const places = new Uint32Array(rows.length * 2);
  let found = 0;
  for (const row of rows) {
    const id = columns.ids[row];
    for (let file = lists.length - 1; file >= 0 && id !== undefined; file--) {
      const { map, isCertain } = lists[file] as SentRequests;
      const number = isCertain ? map.ids.findFrom(ids, id) : -1;
      if (number >= 0) {
        places[found++] = file;
        places[found++] = number;
        break;
      }
    }
  }
  return places.subarray(0, found);
}

/** Returns the edit that makes a change in a request's line or in bare params, or `undefined` if there is nothing to change. */
function editOf(text: string, change: RequestChange): TextEdit | undefined {
  const line = new JsonLine(text);
  switch (change.kind) {
    case 'raise_max_tokens':
    case 'lower_max_tokens':
    case 'raise_each': {
      const found = line.inParams('max_tokens');
      const now = line.valueOf(found?.part);
      const to = typeof now === 'number' ? tokensFor(now, change, line.valueOf(line.inParams('model')?.part)) : undefined;
      return found === undefined || to === undefined ? undefined : replacement(found.part, String(to));
    }
    case 'set_model': {
      const found = line.inParams('model');
      return found === undefined || line.valueOf(found.part) === change.model
        ? undefined
        : replacement(found.part, JSON.stringify(change.model));
    }
    case 'remove': {
      const found = line.inParams(...change.path);
      return found === undefined ? undefined : removal(found);
    }
  }
}

/** Returns the new `max_tokens` of a request whose current value is `now`, or `undefined` if the request stays unchanged. */
function tokensFor(
  now: number,
  change: Extract<RequestChange, { readonly to: number } | { readonly kind: 'raise_each' }>,
  model: unknown,
): number | undefined {
  if (change.kind === 'raise_each') {
    return nextMaxTokens(now, change.bounds.find(([bounded]) => bounded === model)?.[1]);
  }
  return (change.kind === 'raise_max_tokens' ? now < change.to : now > change.to) ? change.to : undefined;
}
