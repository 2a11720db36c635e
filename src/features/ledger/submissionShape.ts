import type { Submission, SubmissionState } from './submission';
import { isStep } from './submissionSteps';

type Check = (value: unknown) => boolean;

const isText: Check = value => typeof value === 'string';
const isCount: Check = value => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isFlag: Check = value => typeof value === 'boolean';
/** Returns whether a value is an object but not an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Accepts objects whose fields pass. Other fields don't matter. */
const shape = (fields: Readonly<Record<string, Check>>): Check => {
  const checks = Object.entries(fields);
  return value => isObject(value) && checks.every(([name, check]) => check(value[name]));
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

/** States that this version knows. */
export const states: readonly SubmissionState[] = ['sending', 'created', 'unknown', 'failed', 'abandoned'];

/** Checks of the required fields. */
export const required: Readonly<Record<string, Check>> = {
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
  report: shape({ counts: isObject, missing: isObject, unexpected: isObject, duplicate: isObject, damaged: isObject }),
};
const candidate = { batchId: isText, ended: isFlag, createdAt: maybe(isText), doubt: maybe(isText) };

/** Checks of the optional fields. */
export const optional: Readonly<Record<string, Check>> = {
  fromEditor: isFlag,
  steps: listOf(isStep),
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

/** All fields that this version knows. */
export const knownFields = [...Object.keys(required), ...Object.keys(optional)] as (keyof Submission)[];
