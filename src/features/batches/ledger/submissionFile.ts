import { open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MessageBatch } from '../../../client/schemas/messageBatches';
import { addSteps, isStep, type SubmissionStep, stepsOf, withoutSteppingBack } from './steps';
import type { FetchedResults, Submission, SubmissionState } from './submission';

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
  /** Index of the joined results. */
  resultsIndex: 'results.index',
  /** Of a group, in the folder of its first part: the index of its joined results. */
  groupIndex: 'group.index',
  /** Of several generations, in the folder of the first submission of the oldest run: the index of its merged results. */
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
}

type Check = (value: unknown) => boolean;

const isText: Check = value => typeof value === 'string';
const isCount: Check = value => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isFlag: Check = value => typeof value === 'boolean';
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
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
  state: value => states.some(state => state === value),
  startedAt: value => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
};

const optional: Readonly<Record<string, Check>> = {
  fromEditor: isFlag,
  steps: value => Array.isArray(value) && value.every(isStep),
  handedOut: isFlag,
  cancelWanted: isFlag,
  search: isSearch,
  models: isModels,
  batchId: isText,
  requestId: isText,
  problem: isText,
  batch: isBatch,
  deleted: isFlag,
  isEndSeen: isFlag,
  results: isFetchedResults,
  selection: isSelection,
  group: isGroupPart,
  follows: isFollows,
  made: value => Array.isArray(value) && value.every(isMadeFile),
  groupResults: isFetchedResults,
  merged: value =>
    isFetchedResults(value) &&
    isObject(value) &&
    Array.isArray(value.runIds) &&
    value.runIds.every(isText) &&
    (value.taken === undefined || (Array.isArray(value.taken) && value.taken.every(isCount))),
};

const knownFields = [...Object.keys(required), ...Object.keys(optional)] as (keyof Submission)[];

function isSearch(value: unknown): boolean {
  return (
    isObject(value) &&
    isCount(value.looks) &&
    isText(value.lookedAt) &&
    isCount(value.listed) &&
    isFlag(value.reachedBack) &&
    [value.backTo, value.elsewhere].every(text => text === undefined || isText(text)) &&
    Array.isArray(value.candidates) &&
    value.candidates.every(isCandidate)
  );
}

function isCandidate(value: unknown): boolean {
  return isObject(value) && isText(value.batchId) && isFlag(value.ended) && (value.createdAt === undefined || isText(value.createdAt));
}

function isSelection(value: unknown): boolean {
  return (
    isObject(value) &&
    ['part', 'canary', 'rest', 'changed'].some(purpose => purpose === value.purpose) &&
    isCount(value.firstLine) &&
    isCount(value.lastLine) &&
    isText(value.digest)
  );
}

function isGroupPart(value: unknown): boolean {
  return isObject(value) && isText(value.id) && isCount(value.index) && isCount(value.count);
}

function isPurpose(value: unknown): boolean {
  return ['retry', 'changed', 'rest'].some(purpose => purpose === value);
}

function isFollows(value: unknown): boolean {
  return isObject(value) && isText(value.runId) && isPurpose(value.purpose);
}

function isMadeFile(value: unknown): boolean {
  return isObject(value) && isText(value.source) && isText(value.sha256) && isText(value.madeAt) && isPurpose(value.purpose);
}

function isModels(value: unknown): boolean {
  return Array.isArray(value) && value.every(entry => Array.isArray(entry) && entry.length === 2 && isText(entry[0]) && isCount(entry[1]));
}

function isBatch(value: unknown): value is MessageBatch {
  return (
    isObject(value) &&
    isText(value.id) &&
    isText(value.processing_status) &&
    isObject(value.request_counts) &&
    ['processing', 'succeeded', 'errored', 'canceled', 'expired'].every(
      status => isObject(value.request_counts) && isCount(value.request_counts[status]),
    )
  );
}

function isFetchedResults(value: unknown): value is FetchedResults {
  return (
    isObject(value) &&
    isText(value.joinedPath) &&
    isText(value.fetchedAt) &&
    isObject(value.report) &&
    isObject(value.report.counts) &&
    ['missing', 'unexpected', 'duplicate', 'damaged'].every(part => isObject(value.report) && isObject(value.report[part]))
  );
}

/**
 * A submission from its file's text. Throws an error that names the field when it is none; an optional field of a wrong
 * shape is left out of the view and stays in the file.
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
  const submission: Record<string, unknown> = {};
  for (const [field, check] of Object.entries(required)) {
    if (!check(raw[field])) {
      throw new Error(`its field "${field}" is missing or wrong`);
    }
    submission[field] = raw[field];
  }
  if (raw.id !== folderName) {
    throw new Error('its id is not the name of its folder');
  }
  for (const [field, check] of Object.entries(optional)) {
    if (check(raw[field])) {
      submission[field] = raw[field];
    }
  }
  return { submission: submission as unknown as Submission, raw };
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

/** Reads one submission's file; undefined when there is none. Throws what `parseSubmission` throws. */
export async function readSubmissionFile(folder: string): Promise<StoredSubmission | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(folder, submissionFileName), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  return parseSubmission(text, path.basename(folder));
}

/** Replaces one submission's file: whoever looks, also after a crash at any point, sees the old content or the new. */
export async function writeSubmissionFile(folder: string, raw: Readonly<Record<string, unknown>>): Promise<void> {
  const temporary = path.join(folder, `${submissionFileName}.${process.pid}.tmp`);
  await removeLeftovers(folder);
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(raw, null, 2)}\n`);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  await file.close();
  await renameOver(temporary, path.join(folder, submissionFileName));
  await syncFolder(folder);
}

/** Name of the file in the ledger's folder that each window writes after it changed a submission. */
export const changedName = 'changed';

/** Tells all windows that a submission was written or removed. On a disk that refuses it they find out at their next slow look. */
export async function tellOfChange(root: string): Promise<void> {
  await writeFile(path.join(root, changedName), String(process.pid), { mode: 0o600 }).catch(() => undefined);
}

async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(`${submissionFileName}.`) && name.endsWith('.tmp')) {
      await rm(path.join(folder, name), { force: true });
    }
  }
}

async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      // Windows refuses while a scanner or another window has the old file open.
      const busy = ['EPERM', 'EACCES', 'EBUSY'].includes((error as NodeJS.ErrnoException).code ?? '');
      if (!busy || attempt === 10) {
        await rm(from, { force: true });
        throw error;
      }
      await new Promise(resolve => setTimeout(resolve, 20 * attempt));
    }
  }
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
