import type { ResultStatus } from '../../shared/results/resultStatus';
import { JoinedReader } from '../answers/answerText';
import { clusterOf, type ErrorCluster, maxRead } from '../answers/errorClusters';
import type { IdTable } from '../files/idTable';
import type { PassContext } from '../files/lineFile';
import { textOf } from '../files/spanReader';
import { none } from '../results/resultsFile';
import { type IndexContents, outcomeOf } from '../results/resultsIndexFile';
import { resultIn, toRecord } from '../results/resultWords';
import { type RequestChange, remedyOf } from './remedyOf';

/** Advised action for the requests of one cause. */
type RetryAction = 'resend' | 'raise_max_tokens' | 'edit';

/** Reason for the advice. The text of the advice is derived from the reason. */
type RetryReason =
  | 'not_done'
  | 'passing'
  | 'unpaid'
  | 'key'
  | 'limit_reached'
  | 'window_full'
  | 'paused'
  | 'refused'
  | 'rejected'
  | 'empty'
  | 'unknown';

/** Maximum number of separate causes. Further errors are grouped by their type. */
const maxGroups = 1000;

/** Cause for which requests have no good answer, with the advice. */
export interface Trouble extends RetryAdvice, Pick<ErrorCluster, 'key' | 'errorType' | 'message'> {
  readonly kind: ErrorCluster['kind'] | 'missing';
  readonly stopReason: string | undefined;
  /** Change that fixes the cause. For `choose_model`, the user has to choose the model. */
  readonly remedy: RequestChange | { readonly kind: 'choose_model' } | undefined;
}

/** Requests with one cause. */
export interface TroubleGroup extends Trouble {
  readonly recommendedModels: Set<string>;
  /** Number of refusals with a fallback credit token. */
  tokens: number;
}

/**
 * Looks up the result of every request that was sent, and groups the requests without a good result by cause. `troubleOf` has the index of
 * each request's group, or -1 if the request needs no retry. `rowOf` has the row of each request's answer, or `none`. `busy` are the ids in
 * batches without results yet.
 */
export function findTroubles(joinedPath: string, index: IndexContents, sent: IdTable, busy: IdTable, context: PassContext) {
  const { ids, rowOfId } = index;
  const troubles: TroubleGroup[] = [];
  const numbers = new Map<string, number>();
  const troubleOf = new Int32Array(sent.size).fill(-1);
  const rowOf = new Uint32Array(sent.size);
  const reader = new JoinedReader(joinedPath, index);
  let good = 0;
  let underWay = 0;
  try {
    for (let request = 0; request < sent.size; request++) {
      if (request % 1024 === 0) {
        context.throwIfAborted();
      }
      const id = ids.findFrom(sent, request);
      const row = id < 0 ? none : (rowOfId[id] as number);
      const fate: RequestFate = row === none ? { status: 'missing', stopReason: undefined, errorType: undefined } : outcomeOf(index, row);
      rowOf[request] = row;
      const advice = adviseRetry(fate);
      if (advice === undefined) {
        good++;
        continue;
      }
      if (busy.findFrom(sent, request) >= 0) {
        underWay++;
        continue;
      }
      const found = toGroup(
        fate,
        advice,
        fate.status !== 'failed' ? '' : troubles.length < maxGroups ? reader.errorStart(row, maxRead) : '…',
      );
      const number = numbers.get(found.key) ?? troubles.push(found) - 1;
      numbers.set(found.key, number);
      troubleOf[request] = number;
      if (advice.reason === 'refused') {
        const group = troubles[number] as TroubleGroup;
        const { hasToken, recommendedModel } = refusalIn(reader, row);
        group.tokens += hasToken ? 1 : 0;
        if (recommendedModel !== undefined) {
          group.recommendedModels.add(recommendedModel);
        }
      }
    }
  } finally {
    reader.close();
  }
  return { troubles, troubleOf, rowOf, good, underWay };
}

function toGroup({ status, stopReason, errorType }: RequestFate, advice: RetryAdvice, message: string): TroubleGroup {
  const remedy = status === 'failed' ? remedyOf(errorType, message) : undefined;
  const cause = status === 'missing' ? missing : (clusterOf({ status, stopReason, errorType, message }) ?? missing);
  // Errors with one cause can need different remedies, because the numbers in their messages differ.
  const key = remedy === undefined ? cause.key : `${cause.key} ${JSON.stringify(remedy)}`;
  const credit = { recommendedModels: new Set<string>(), tokens: 0 };
  return { key, kind: cause.kind, errorType, stopReason, message: cause.message, remedy, ...advice, ...credit };
}

const missing: Pick<Trouble, 'key' | 'kind' | 'message'> = { key: 'missing', kind: 'missing', message: '' };

/** Maximum number of bytes of a joined refusal to read. Refusals have no answer, so they are short. */
const maxRefusalBytes = 1 << 20;

/** Returns the fallbacks that a refusal offers, without the token itself, which is a secret. */
function refusalIn(reader: JoinedReader, row: number): { readonly hasToken: boolean; readonly recommendedModel: string | undefined } {
  const isShort = (reader.contents.rows.lengths[row] as number) <= maxRefusalBytes;
  const details = toRecord(toRecord(isShort ? resultIn(textOf(reader.line(row))).message : undefined).stop_details);
  const filled = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return { hasToken: filled(details.fallback_credit_token) !== undefined, recommendedModel: filled(details.recommended_model) };
}

/** Facts about a result that decide how to retry its request. */
export interface RequestFate {
  readonly status: ResultStatus | 'missing';
  readonly stopReason: string | undefined;
  readonly errorType: string | undefined;
}

interface RetryAdvice {
  readonly action: RetryAction;
  readonly reason: RetryReason;
  /** True if the advised retry is worth its price. Such groups are preselected. */
  readonly isSensible: boolean;
}

const again = (reason: RetryReason, isSensible = true): RetryAdvice => ({ action: 'resend', reason, isSensible });
const editFirst = (reason: RetryReason): RetryAdvice => ({ action: 'edit', reason, isSensible: false });

/** Advice for each `error.type` of the contract. */
const byErrorType: ReadonlyMap<string, RetryAdvice> = new Map([
  ['overloaded_error', again('passing')],
  ['api_error', again('passing')],
  ['timeout_error', again('passing')],
  ['rate_limit_error', again('passing')],
  ['billing_error', again('unpaid', false)],
  ['authentication_error', again('key', false)],
  ['invalid_request_error', editFirst('rejected')],
  ['request_too_large', editFirst('rejected')],
  ['not_found_error', editFirst('rejected')],
  ['permission_error', editFirst('rejected')],
]);

const byStopReason: ReadonlyMap<string, RetryAdvice> = new Map([
  ['max_tokens', { action: 'raise_max_tokens', reason: 'limit_reached', isSensible: true }],
  ['model_context_window_exceeded', editFirst('window_full')],
  ['pause_turn', editFirst('paused')],
  ['refusal', editFirst('refused')],
]);

/** Returns the advice for a request, or `undefined` if its answer is good. */
export function adviseRetry({ status, stopReason, errorType }: RequestFate): RetryAdvice | undefined {
  switch (status) {
    case 'succeeded':
      return undefined;
    case 'cut_short':
    case 'refused':
      return byStopReason.get(stopReason ?? '') ?? editFirst('unknown');
    case 'empty':
      return again('empty', false);
    case 'expired':
    case 'canceled':
    case 'missing':
      return again('not_done');
    case 'failed':
      return byErrorType.get(errorType ?? '') ?? again('unknown', false);
    case 'other':
      return again('unknown', false);
  }
}
