import type { MessageBatch } from '../../client/schemas/messageBatches';
import type { FetchedResults, Submission, SubmissionState } from './submission';
import { isStep } from './submissionSteps';

type Check = (value: unknown) => boolean;

const isText: Check = value => typeof value === 'string';
const isCount: Check = value => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isFlag: Check = value => typeof value === 'boolean';
/** Returns whether a value is an object but not an array. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
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

/** Checks of the optional fields. */
export const optional: Readonly<Record<string, Check>> = {
  fromEditor: isFlag,
  steps: value => Array.isArray(value) && value.every(isStep),
  handedOut: isFlag,
  cancelWanted: isFlag,
  stopWanted: isFlag,
  search: isSearch,
  models: isModels,
  estimate: value => Array.isArray(value) && value.every(isModelEstimate),
  batchId: isText,
  requestId: isText,
  problem: isText,
  batch: isBatch,
  deleted: isFlag,
  isEndSeen: isFlag,
  fetching: value => isObject(value) && isCount(value.tries) && isText(value.at) && (value.told === undefined || isFlag(value.told)),
  results: isFetchedResults,
  selection: isSelection,
  group: isGroupPart,
  follows: isFollows,
  made: value => Array.isArray(value) && value.every(isMadeFile),
  groupResults: isFetchedResults,
  merged: value => isFetchedResults(value) && isObject(value) && Array.isArray(value.runIds) && value.runIds.every(isText),
  resultsFile: value => isObject(value) && [value.path, value.stamp, value.fetchedAt].every(isText),
};

/** All fields that this version knows. */
export const knownFields = [...Object.keys(required), ...Object.keys(optional)] as (keyof Submission)[];

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
  return (
    isObject(value) &&
    isText(value.batchId) &&
    isFlag(value.ended) &&
    [value.createdAt, value.doubt].every(text => text === undefined || isText(text))
  );
}

function isSelection(value: unknown): boolean {
  return (
    isObject(value) &&
    ['part', 'canary', 'rest', 'changed'].some(purpose => purpose === value.purpose) &&
    isCount(value.firstLine) &&
    isCount(value.lastLine) &&
    isText(value.digest) &&
    (value.total === undefined || isCount(value.total))
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

function isModelEstimate(value: unknown): boolean {
  return (
    isObject(value) &&
    isText(value.model) &&
    [value.inputLow, value.inputHigh, value.maxOutput].every(isCount) &&
    [value.text, value.input].every(count => count === undefined || isCount(count)) &&
    (value.output === undefined || hasCounts(value.output, ['low', 'likely', 'high'])) &&
    (value.cacheMix === undefined || hasCounts(value.cacheMix, ['read', 'write5m', 'write1h']))
  );
}

function hasCounts(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every(name => isCount(value[name]));
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
    (value.stamp === undefined || isText(value.stamp)) &&
    isText(value.fetchedAt) &&
    isObject(value.report) &&
    isObject(value.report.counts) &&
    ['missing', 'unexpected', 'duplicate', 'damaged'].every(part => isObject(value.report) && isObject(value.report[part]))
  );
}
