import type { Stats } from 'node:fs';
import { copyFile, open, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { undefinedIfMissing } from '../../common/files/undefinedIfMissing';
import { describeError } from '../../common/text/describeError';
import { renameOver } from '../../jsonl/files/publishing';
import { verifyChecksum, withChecksum } from './checksum';
import { type Fence, fencedName } from './folderLock';
import type { Submission } from './submission';
import { isObject, knownFields, optional, required, states } from './submissionShape';
import { addSteps, type SubmissionStep, stepsOf, withoutSteppingBack } from './submissionSteps';

/** Name of the file that holds one submission in its folder. */
export const submissionFileName = 'submission.json';

/** Names of the other files in that folder. */
export const submissionFiles = {
  /** Per request `line TAB custom_id LF`. */
  lines: 'lines.tsv',
  /** What was sent, when it stood in the editor and not on disk. */
  editorCopy: 'source.jsonl',
  /** Results as the service gave them. */
  rawResults: 'results.jsonl',
  /** Results joined with the lines of the requests, and their index. */
  joinedResults: 'joined.jsonl',
  resultsIndex: 'results.index',
  /** Of a group, in the folder of its first part: the joined results of all parts, and their index. */
  groupResults: 'group.jsonl',
  groupIndex: 'group.index',
  /** Of several generations, in the folder of the first submission of the oldest run: the merged results, and their index. */
  mergedResults: 'merged.jsonl',
  mergedIndex: 'merged.index',
  /** Beside it, what each request's result was in each generation. */
  mergedHistory: 'merged.history',
  /** Per request, in the order of `lines.tsv`, the first 8 bytes of the SHA-256 of its canonical `params`. */
  requestHashes: 'requests.hash',
} as const;

/** A submission with the whole object it was read from, so that fields of newer versions survive a rewrite. */
export interface StoredSubmission {
  readonly submission: Submission;
  readonly raw: Readonly<Record<string, unknown>>;
  /** Why its file could not be read whole; the submission is then what could be read of it. */
  readonly damage?: string;
}

/**
 * A submission from its file's text. Throws an error that names the field when it is none; an optional field of a wrong
 * shape is left out of the view and stays in the file. A state of a newer version is taken for one that may have made a batch.
 */
export function parseSubmission(text: string, folderName: string): StoredSubmission {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    // The parser's own words quote the file.
    throw new Error('it is not JSON');
  }
  if (!isObject(raw)) {
    throw new Error('it holds no object');
  }
  verifyChecksum(text);
  for (const [field, check] of Object.entries(required)) {
    if (!check(raw[field])) {
      throw new Error(`its field "${field}" is missing or wrong`);
    }
  }
  if (raw.id !== folderName) {
    throw new Error('its id is not the name of its folder');
  }
  return { submission: toSubmission(raw), raw };
}

/**
 * Returns what can be read of a damaged record. None of it proves which file was sent or where, so it is marked as damaged (`isDamaged`).
 * If it names its batch, the batch is kept with the connection that leads to it. Otherwise its outcome is unknown, whatever it says.
 */
function salvageSubmission(text: string, folder: string, writtenAt: Date, damage: string): StoredSubmission {
  const found = readFields(text);
  const has = (field: string) => required[field]?.(found[field]) === true;
  const isCreated = found.state === 'created' && typeof found.batchId === 'string';
  const raw: Record<string, unknown> = {
    ...found,
    id: path.basename(folder),
    connection: isCreated && has('connection') ? found.connection : '',
    origin: isCreated && has('origin') ? found.origin : '',
    source: has('source') ? found.source : pathToFileURL(path.join(folder, submissionFileName)).href,
    sha256: '',
    startedAt: has('startedAt') ? found.startedAt : writtenAt.toISOString(),
    ...Object.fromEntries(['fileBytes', 'requestCount', 'bodyBytes'].map(field => [field, has(field) ? found[field] : 0])),
    state: isCreated ? 'created' : 'unknown',
    ...(!isCreated && { problem: `What was written down about it cannot be read: ${damage}.` }),
  };
  delete raw.deleted;
  return { submission: toSubmission(raw), raw, damage };
}

/** The fields of an object in JSON, or of what is left of one as it is written here, one to a line. */
function readFields(text: string): Readonly<Record<string, unknown>> {
  const whole = parsed(text);
  if (isObject(whole)) {
    return whole;
  }
  const found: Record<string, unknown> = Object.create(null);
  for (const [, name = '', value = ''] of text.matchAll(/^ {2}"(\w+)": (.*[^,\s]),?$/gm)) {
    const read = parsed(value);
    if (read !== undefined) {
      found[name] = read;
    }
  }
  return found;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The view of an object that has all that is required. */
function toSubmission(raw: Readonly<Record<string, unknown>>): Submission {
  const submission: Record<string, unknown> = {};
  for (const field of Object.keys(required)) {
    submission[field] = raw[field];
  }
  for (const [field, check] of Object.entries(optional)) {
    if (check(raw[field])) {
      submission[field] = raw[field];
    }
  }
  if (!states.some(state => state === raw.state)) {
    submission.state = submission.batchId === undefined ? 'unknown' : 'created';
  }
  return submission as unknown as Submission;
}

/** A submission with some fields replaced, `undefined` removing one; what newer versions wrote into `stored` stays. */
export function applyChange(stored: StoredSubmission, change: Partial<Submission>): StoredSubmission {
  const submission: Record<string, unknown> = { ...stored.submission };
  const raw: Record<string, unknown> = { ...stored.raw };
  for (const [field, value] of Object.entries(change)) {
    if (value === undefined) {
      delete submission[field];
      delete raw[field];
    } else {
      submission[field] = value;
      raw[field] = value;
    }
  }
  return { submission: submission as unknown as Submission, raw };
}

/** A submission after a change of it, as far as that leads forward, with the steps it tells of. `at` is RFC 3339. */
export function advance(
  stored: StoredSubmission,
  change: Partial<Submission>,
  at: string,
  further: readonly SubmissionStep[] = [],
): StoredSubmission {
  const forward = withoutSteppingBack(stored.submission, change);
  const steps = [...further, ...stepsOf(stored.submission, forward, at)];
  return applyChange(stored, steps.length === 0 ? forward : { ...forward, steps: addSteps(stored.submission.steps ?? [], steps) });
}

/** The fields in which `wanted` differs from `base`. */
export function changeBetween(base: Submission, wanted: Submission): Partial<Submission> {
  return Object.fromEntries(knownFields.filter(field => wanted[field] !== base[field]).map(field => [field, wanted[field]]));
}

/** Reads one submission's file, or what can be read of its text; undefined when there is none. Rejects when the disk does not give it. */
export async function readSubmissionFile(folder: string): Promise<StoredSubmission | undefined> {
  const file = path.join(folder, submissionFileName);
  const text = await readFile(file, 'utf8').catch(undefinedIfMissing);
  if (text === undefined) {
    return undefined;
  }
  try {
    return parseSubmission(text, path.basename(folder));
  } catch (error) {
    const writtenAt = await stat(file).then(
      ({ mtime }) => mtime,
      () => new Date(),
    );
    return salvageSubmission(text, folder, writtenAt, describeError(error));
  }
}

/** Changes with every replacement of the file; undefined when there is none. Rejects when the disk does not tell. */
export async function stampOfSubmission(folder: string): Promise<string | undefined> {
  const found = await stat(path.join(folder, submissionFileName)).catch(undefinedIfMissing);
  return found && toStamp(found);
}

function toStamp({ ino, mtimeMs, size }: Pick<Stats, 'ino' | 'mtimeMs' | 'size'>): string {
  return `${ino}:${mtimeMs}:${size}`;
}

/** Keeps a file that could not be read whole beside what is written in its place. */
export async function keepDamagedFile(folder: string): Promise<void> {
  // What no program can read is no loss.
  await copyFile(path.join(folder, submissionFileName), path.join(folder, 'submission.damaged.json')).catch(() => undefined);
}

/**
 * Replaces one submission's file: whoever looks, also after a crash at any point, sees the old content or the new. Rejects with
 * `LockLostError`, and replaces nothing, when the folder's lock was taken over meanwhile. Answers the stamp of what was written, whatever
 * stands there by now.
 */
export async function writeSubmissionFile(folder: string, raw: Readonly<Record<string, unknown>>, fence: Fence): Promise<string> {
  const temporary = path.join(folder, fencedName(submissionFileName, fence));
  const file = await open(temporary, 'wx', 0o600);
  let stamp: string;
  try {
    await file.writeFile(withChecksum(`${JSON.stringify(raw, null, 2)}\n`));
    await file.sync();
    // It goes with the file to its new name. Looked at there it could be that of another window, which passed this one by meanwhile.
    stamp = toStamp(await file.stat());
    await file.close();
    await fence.check();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  // From here on whoever takes the lock over removes this file, before anything else.
  await renameOver(temporary, path.join(folder, submissionFileName)).catch(async error => {
    await rm(temporary, { force: true });
    await fence.check();
    throw error;
  });
  await syncFolder(folder);
  return stamp;
}

/** Makes a rename in a folder last over a power cut, where the system lets a folder be synced. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows opens no folders; the rename itself is atomic all the same.
  }
}
