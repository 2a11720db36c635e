import { createHash, randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { copyFile, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { undefinedIfMissing } from '../../common/files/undefinedIfMissing';
import { describeError } from '../../common/text/describeError';
import { renameOver } from '../../jsonl/files/publishing';
import { isRecord } from '../../shared/isRecord';
import { jsonOf } from '../../shared/jsonOf';
import { type Fence, fencedName } from './folderLock';
import type { Submission, SubmissionState } from './submission';
import { addSteps, type SubmissionStep, stepsOf, withoutSteppingBack } from './submissionSteps';

export const submissionFileName = 'submission.json';

/** Names of the other files in the folder of a submission. */
export const submissionFiles = {
  /** Line and ID of each request, as `line TAB custom_id LF`. */
  lines: 'lines.tsv',
  /** Sent text that is not in the request file: unsaved text of an editor, or requests written for a retry. */
  editorCopy: 'source.jsonl',
  rawResults: 'results.jsonl',
  /** Results joined with the lines of the requests, and their index. */
  joinedResults: 'joined.jsonl',
  resultsIndex: 'results.index',
  /** Joined results of all parts and their index, in the folder of the first part. */
  groupResults: 'group.jsonl',
  groupIndex: 'group.index',
  /** Best results of several runs and their index, in the folder of the oldest run's first submission. */
  mergedResults: 'merged.jsonl',
  mergedIndex: 'merged.index',
  /** Result of each request in each of the merged runs. */
  mergedHistory: 'merged.history',
  /** Per request, in the order of `lines.tsv`, the first 8 bytes of the SHA-256 of its canonical `params`. */
  requestHashes: 'requests.hash',
} as const;

/** Returns the path of a source given as a URI string. `undefined` if the source is not a local file. */
export function sourcePathOf(source: string): string | undefined {
  try {
    return fileURLToPath(source);
  } catch {
    return undefined;
  }
}

/**
 * Returns the path of the sent content. This is the copy in the submission's folder (see `fromEditor`), or the file. `undefined` if the
 * content is not on this machine.
 */
export function sentPathOf(
  registry: { folder(id: string): string },
  { id, source, fromEditor }: Pick<Submission, 'id' | 'source' | 'fromEditor'>,
): string | undefined {
  return fromEditor ? path.join(registry.folder(id), submissionFiles.editorCopy) : sourcePathOf(source);
}

/** A submission with the parsed object, so that fields of newer versions survive a rewrite. */
export interface StoredSubmission {
  readonly submission: Submission;
  readonly raw: Readonly<Record<string, unknown>>;
  /** Reason why the file could not be read completely. `submission` then has the readable part. */
  readonly damage?: string;
}

/**
 * Parses the text of a submission's file. Throws an error that names the invalid field. An optional field with a wrong type is omitted from
 * the view but stays in the file. If a newer version wrote an unknown state, the submission may have a batch.
 */
function parseSubmission(text: string, folderName: string): StoredSubmission {
  const raw = jsonOf(text);
  if (raw === undefined) {
    throw new Error('it is not JSON');
  }
  if (!isRecord(raw)) {
    throw new Error('it is not a JSON object');
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
 * Returns the readable part of a damaged record. The record does not prove which file was sent or where, so it is marked as damaged
 * (`isDamaged`). If the record names its batch, keeps the batch and its connection. Otherwise its outcome counts as unknown.
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
    ...(!isCreated && { problem: `Its record can't be read: ${damage}.` }),
  };
  delete raw.deleted;
  return { submission: toSubmission(raw), raw, damage };
}

/** Returns the fields of a JSON object. From damaged text, returns only fields that are on a line of their own. */
function readFields(text: string): Readonly<Record<string, unknown>> {
  const whole = jsonOf(text);
  if (isRecord(whole)) {
    return whole;
  }
  const found: Record<string, unknown> = Object.create(null);
  for (const [, name = '', value = ''] of text.matchAll(/^ {2}"(\w+)": (.*[^,\s]),?$/gm)) {
    const read = jsonOf(value);
    if (read !== undefined) {
      found[name] = read;
    }
  }
  return found;
}

function toSubmission(raw: Readonly<Record<string, unknown>>): Submission {
  const valid = Object.entries({ ...required, ...optional }).filter(([field, check]) => check(raw[field]));
  const submission: Record<string, unknown> = Object.fromEntries(valid.map(([field]) => [field, raw[field]]));
  if (!states.some(state => state === raw.state)) {
    submission.state = submission.batchId === undefined ? 'unknown' : 'created';
  }
  return submission as unknown as Submission;
}

/** Replaces some fields of a submission. A field set to `undefined` is removed. Unknown fields in `stored` stay. */
export function applyChange(stored: StoredSubmission, change: Partial<Submission>): StoredSubmission {
  const changed = (fields: object) =>
    Object.fromEntries(Object.entries({ ...fields, ...change }).filter(([, value]) => value !== undefined));
  return { submission: changed(stored.submission) as unknown as Submission, raw: changed(stored.raw) };
}

/** Applies a change without stepping back (see `withoutSteppingBack`), and adds its steps. `at` is RFC 3339. */
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

/** Returns the fields in which `wanted` differs from `base`. */
export function changeBetween(base: Submission, wanted: Submission): Partial<Submission> {
  return Object.fromEntries(knownFields.filter(field => wanted[field] !== base[field]).map(field => [field, wanted[field]]));
}

/** Reads a submission's file, or its readable part. Returns `undefined` if the file does not exist. Rejects if the disk fails. */
export async function readSubmissionFile(folder: string): Promise<StoredSubmission | undefined> {
  const file = path.join(folder, submissionFileName);
  const text = await readFile(file, 'utf8').catch(undefinedIfMissing);
  if (text === undefined) {
    return undefined;
  }
  try {
    return parseSubmission(text, path.basename(folder));
  } catch (error) {
    const found = await stat(file).catch(() => undefined);
    return salvageSubmission(text, folder, found?.mtime ?? new Date(), describeError(error));
  }
}

/** Returns a stamp that changes whenever the file is replaced. `undefined` if the file does not exist. Rejects if the disk fails. */
export async function stampOfSubmission(folder: string): Promise<string | undefined> {
  const found = await stat(path.join(folder, submissionFileName)).catch(undefinedIfMissing);
  return found && toStamp(found);
}

function toStamp({ ino, mtimeMs, size }: Pick<Stats, 'ino' | 'mtimeMs' | 'size'>): string {
  return `${ino}:${mtimeMs}:${size}`;
}

/** Name of a file in the ledger's folder that every write changes. */
export const changedName = 'changed';

/** Notifies other windows of a write. If the disk fails, they detect the write when they next read everything. */
export async function announceWrite(root: string): Promise<void> {
  await writeFile(path.join(root, changedName), randomUUID(), { mode: 0o600 }).catch(() => undefined);
}

/** Keeps a copy of a damaged file before it is replaced. */
export async function keepDamagedFile(folder: string): Promise<void> {
  // If the file is unreadable, there is nothing to keep.
  await copyFile(path.join(folder, submissionFileName), path.join(folder, 'submission.damaged.json')).catch(() => undefined);
}

/**
 * Replaces a submission's file atomically, even if the machine crashes. Rejects with `LockLostError` and replaces nothing if the folder's
 * lock was taken over. Returns the stamp of the written file.
 */
export async function writeSubmissionFile(folder: string, raw: Readonly<Record<string, unknown>>, fence: Fence): Promise<string> {
  const temporary = path.join(folder, fencedName(submissionFileName, fence));
  const file = await open(temporary, 'wx', 0o600);
  let stamp: string;
  try {
    await file.writeFile(withChecksum(`${JSON.stringify(raw, null, 2)}\n`));
    await file.sync();
    // Read before the rename, because afterwards the name may refer to the file of another window that took over the lock.
    stamp = toStamp(await file.stat());
    await file.close();
    await fence.check();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  // If another process takes over the lock from now on, it deletes the temporary file first.
  await renameOver(temporary, path.join(folder, submissionFileName)).catch(async error => {
    await rm(temporary, { force: true });
    await fence.check();
    throw error;
  });
  await syncFolder(folder);
  return stamp;
}

/** Makes a rename survive a power cut, where the system allows folders to be synced. */
async function syncFolder(folder: string): Promise<void> {
  // Windows can't open folders. A rename is atomic there anyway.
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** Appends a checksum to JSON. The checksum detects changes by a disk or another program. */
export function withChecksum(json: string): string {
  return `${json}${checksumOf(json)}\n`;
}

/** Throws if a text has a checksum that does not match its JSON. Texts of older versions have no checksum. */
export function verifyChecksum(text: string): void {
  const [, json = '', checksum] = /^([\s\S]*\n)([ \t]{32})\n$/.exec(text) ?? [];
  if (checksum !== undefined && checksum !== checksumOf(json)) {
    throw new Error('it was changed since it was written');
  }
}

/** Returns a checksum of 32 bits as whitespace, because older versions ignore whitespace. */
function checksumOf(json: string): string {
  const bits = createHash('sha256').update(json).digest().readUInt32BE(0).toString(2).padStart(32, '0');
  return bits.replaceAll('0', ' ').replaceAll('1', '\t');
}

type Check = (value: unknown) => boolean;

const isText: Check = value => typeof value === 'string';
const isCount: Check = value => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isFlag: Check = value => typeof value === 'boolean';

/** Returns a check that accepts objects whose listed fields pass their checks. */
const shape = (fields: Readonly<Record<string, Check>>): Check => {
  const checks = Object.entries(fields);
  return value => isRecord(value) && checks.every(([name, check]) => check(value[name]));
};
const maybe =
  (check: Check): Check =>
  value =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  value =>
    Array.isArray(value) && value.every(check);
const oneOf =
  (...known: readonly string[]): Check =>
  value =>
    known.some(one => one === value);

const states: readonly SubmissionState[] = ['sending', 'created', 'unknown', 'failed', 'abandoned'];

const required: Readonly<Record<string, Check>> = {
  id: value => isText(value) && value !== '',
  connection: isText,
  origin: isText,
  source: isText,
  fileBytes: isCount,
  sha256: isText,
  requestCount: isCount,
  bodyBytes: isCount,
  state: isText,
  startedAt: value => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
};

const isPurpose = oneOf('retry', 'changed', 'rest');
const counts = (...names: readonly string[]) => shape(Object.fromEntries(names.map(name => [name, isCount])));
const results = {
  joinedPath: isText,
  stamp: maybe(isText),
  fetchedAt: isText,
  report: shape({ counts: isRecord, missing: isRecord, unexpected: isRecord, duplicate: isRecord, damaged: isRecord }),
};
const candidate = { batchId: isText, ended: isFlag, createdAt: maybe(isText) };

const optional: Readonly<Record<string, Check>> = {
  fromEditor: isFlag,
  steps: listOf(
    shape({
      ...{ what: isText, at: isText, note: maybe(isText), batchId: maybe(isText) },
      ...{ times: maybe(isCount), candidates: maybe(isCount), listed: maybe(isCount) },
    }),
  ),
  handedOut: isFlag,
  cancelWanted: isFlag,
  stopWanted: isFlag,
  search: shape({
    ...{ looks: isCount, lookedAt: isText, listed: isCount, reachedBack: isFlag, backTo: maybe(isText), elsewhere: maybe(isText) },
    candidates: listOf(shape(candidate)),
  }),
  models: listOf(entry => Array.isArray(entry) && entry.length === 2 && isText(entry[0]) && isCount(entry[1])),
  estimate: listOf(shape({ model: isText, inputLow: isCount, inputHigh: isCount, maxOutput: isCount })),
  batchId: isText,
  requestId: isText,
  problem: isText,
  batch: shape({
    ...{ id: isText, processing_status: isText },
    request_counts: counts('processing', 'succeeded', 'errored', 'canceled', 'expired'),
  }),
  deleted: isFlag,
  isEndSeen: isFlag,
  fetching: shape({ tries: isCount, at: isText, told: maybe(isFlag) }),
  results: shape(results),
  selection: shape({
    ...{ purpose: oneOf('part', 'canary', 'rest', 'changed'), firstLine: isCount, lastLine: isCount, digest: isText },
    total: maybe(isCount),
  }),
  group: shape({ id: isText, index: isCount, count: isCount }),
  follows: shape({ runId: isText, purpose: isPurpose }),
  made: listOf(shape({ source: isText, sha256: isText, madeAt: isText, purpose: isPurpose })),
  groupResults: shape(results),
  merged: shape({ ...results, runIds: listOf(isText) }),
  resultsFile: shape({ path: isText, stamp: isText, fetchedAt: isText }),
};

const knownFields = [...Object.keys(required), ...Object.keys(optional)] as (keyof Submission)[];
