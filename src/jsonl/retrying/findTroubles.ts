import { clusterOf } from '../answers/errorClusters';
import type { PassContext } from '../files/lineFile';
import { none } from '../results/resultsFile';
import { type IndexContents, outcomeOf } from '../results/resultsIndexFile';
import { adviseRetry, type RequestFate, type RetryAdvice } from './adviseRetry';
import { remedyOf } from './remedyOf';
import type { RetryGroup } from './retryingJobs';
import type { SentRequests } from './sentRequests';
import { TroubledRows } from './troubledRows';

/** Maximum number of separate causes. Further errors are grouped by their type. */
const maxGroups = 1000;

/** Requests with one cause. */
export interface TroubleGroup extends Pick<RetryGroup, 'key' | 'kind' | 'errorType' | 'stopReason' | 'message' | 'remedy'>, RetryAdvice {
  readonly recommendedModels: Set<string>;
  count: number;
  tokens: number;
}

export interface Trouble {
  readonly groups: readonly TroubleGroup[];
  /** By request: the index of its group, or -1 if it needs nothing. */
  readonly groupOf: Int32Array;
  /** By request: the row of its answer, or `none`. */
  readonly rowOf: Uint32Array;
  readonly good: number;
  readonly underWay: number;
}

/** Looks up the result of every request that was sent, and groups those without a good one by cause. */
export function findTroubles(
  joinedPath: string,
  index: IndexContents,
  sent: SentRequests,
  busy: SentRequests,
  context: PassContext,
): Trouble {
  const { rows, ids, rowOfId } = index;
  const groups = new Map<string, { readonly place: number; readonly group: TroubleGroup }>();
  const groupOf = new Int32Array(sent.count).fill(-1);
  const answers = new Uint32Array(sent.count);
  const texts = new TroubledRows(joinedPath, rows);
  let good = 0;
  let underWay = 0;
  try {
    for (let request = 0; request < sent.count; request++) {
      if (request % 1024 === 0) {
        context.throwIfAborted();
      }
      const id = sent.findIn(ids, request);
      const row = id < 0 ? none : (rowOfId[id] as number);
      const fate: RequestFate = row === none ? { status: 'missing', stopReason: undefined, errorType: undefined } : outcomeOf(index, row);
      answers[request] = row;
      const advice = adviseRetry(fate);
      if (advice === undefined) {
        good++;
        continue;
      }
      if (sent.isIn(busy, request)) {
        underWay++;
        continue;
      }
      const found = toGroup(fate, advice, fate.status !== 'failed' ? '' : groups.size < maxGroups ? texts.message(row) : '…');
      const { place, group } = groups.get(found.key) ?? { place: groups.size, group: found };
      if (place === groups.size) {
        groups.set(found.key, { place, group });
      }
      groupOf[request] = place;
      group.count++;
      if (advice.reason === 'refused') {
        const { hasToken, recommendedModel } = texts.refusal(row);
        group.tokens += hasToken ? 1 : 0;
        if (recommendedModel !== undefined) {
          group.recommendedModels.add(recommendedModel);
        }
      }
    }
  } finally {
    texts.close();
  }
  return { groups: [...groups.values()].map(({ group }) => group), groupOf, rowOf: answers, good, underWay };
}

function toGroup({ status, stopReason, errorType }: RequestFate, advice: RetryAdvice, message: string): TroubleGroup {
  const remedy = status === 'failed' ? remedyOf(errorType, message) : undefined;
  const cause = status === 'missing' ? missing : (clusterOf({ status, stopReason, errorType, message }) ?? missing);
  // Errors with one cause but other numbers in the message can need other remedies.
  const key = remedy === undefined ? cause.key : `${cause.key} ${JSON.stringify(remedy)}`;
  const counts = { recommendedModels: new Set<string>(), count: 0, tokens: 0 };
  return { key, kind: cause.kind, errorType, stopReason, message: cause.message, remedy, ...advice, ...counts };
}

const missing: Pick<RetryGroup, 'key' | 'kind' | 'message'> = { key: 'missing', kind: 'missing', message: '' };
