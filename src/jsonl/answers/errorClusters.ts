import { hasAnswer, type ResultStatus } from '../../shared/results/resultStatus';
import { cutText } from '../../shared/text';

/** Results that failed, or have no complete answer, for the same cause. */
export interface ErrorCluster {
  readonly key: string;
  readonly kind: Exclude<ResultStatus, 'succeeded'>;
  readonly errorType: string | undefined;
  /** Message in which `…` replaces the parts that vary between requests. */
  readonly message: string;
  readonly count: number;
}

interface ClusterFacts {
  readonly status: ResultStatus;
  readonly stopReason: string | undefined;
  readonly errorType: string | undefined;
  /** Error message. Only needed for failed requests. */
  readonly message: string;
}

/** Cause of a result without a complete answer. `message` is empty unless the request failed. */
type ClusterCause = Pick<ErrorCluster, 'key' | 'kind' | 'errorType' | 'message'>;

/** Maximum number of distinct causes. Results with further causes are grouped by error type. */
const maxClusters = 1000;
/** Maximum number of characters of a message to read, and to store. */
export const maxRead = 2000;
const maxStored = 300;

/**
 * Returns the cause by which results are grouped: the status, the error type, and the normalised message (see `normaliseMessage`). For an
 * answer that is cut short, refused or empty, `errorType` is its `stop_reason`. Returns `undefined` for answers that succeeded.
 */
export function clusterOf({ status, stopReason, errorType, message }: ClusterFacts): ClusterCause | undefined {
  if (status === 'succeeded') {
    return undefined;
  }
  return status === 'failed'
    ? toCause(status, errorType, normaliseMessage(message))
    : toCause(status, hasAnswer(status) ? stopReason : undefined, '');
}

/**
 * Replaces the parts of a message that vary between requests with `…`: quoted texts, URLs, ids, and words with a digit, such as the `3` of
 * `messages.3.content`. Names in backticks are kept, because they are names of fields.
 */
export function normaliseMessage(message: string): string {
  const plain = message
    .slice(0, maxRead)
    .replace(varying, (match, name: string | undefined) => (name === undefined ? '…' : match))
    .replace(/\s+/g, ' ')
    .replace(/…(?:[\s,.:;/-]*…)+/g, '…')
    .trim();
  return cutText(plain, maxStored);
}

const varying = new RegExp(
  [
    '(`[a-z_][a-z_.]*`)',
    '`[^`]*`',
    '"[^"]*"',
    "(?<![\\p{L}\\d])'[^']*'(?!\\p{L})",
    '[a-z][a-z\\d+.-]{1,20}://[^\\s"\')>]+',
    // A period or comma next to a letter separates words. In `messages.3.content`, only the `3` varies.
    '(?<![\\p{L}\\d_-])[\\p{L}_-]*\\d(?:[\\p{L}\\d_-]|[.,:](?=\\d))*',
  ].join('|'),
  'giu',
);

function toCause(kind: ErrorCluster['kind'], errorType: string | undefined, message: string): ClusterCause {
  return { key: toKey(`${kind}\n${errorType ?? ''}\n${message}`), kind, errorType, message };
}

/** Hashes a text to 64 bits (two 32-bit FNV-1a hashes). The result is the same in every session. */
function toKey(text: string): string {
  let first = 0x811c9dc5;
  let second = 0x9dc5811c;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code ^ (at & 0xff), 0x01000193);
  }
  return [first, second].map(half => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

interface Cluster {
  readonly cause: ClusterCause;
  count: number;
}

export class ErrorClusters {
  private readonly clusters = new Map<string, Cluster>();
  /** Cache of clusters, keyed by the exact facts of a failure. Most failures repeat the facts of an earlier failure. */
  private readonly known = new Map<string, Cluster>();

  /** Counts a row. Returns the cause of its cluster, or `undefined` if the row succeeded. */
  add(facts: ClusterFacts): ClusterCause | undefined {
    // For other statuses, `message` is an answer. An answer doesn't describe the cause and can be long.
    const message = facts.status === 'failed' ? facts.message.slice(0, maxRead) : '';
    const exactFacts = `${facts.status}\n${facts.stopReason ?? ''}\n${facts.errorType ?? ''}\n${message}`;
    let cluster = this.known.get(exactFacts);
    if (cluster === undefined) {
      const cause = clusterOf(facts);
      if (cause === undefined) {
        return undefined;
      }
      cluster = this.clusterFor(cause);
      if (this.known.size < maxClusters) {
        this.known.set(exactFacts, cluster);
      }
    }
    cluster.count++;
    return cluster.cause;
  }

  /** Returns the clusters, largest first. */
  list(): readonly ErrorCluster[] {
    return [...this.clusters.values()].map(({ cause, count }) => ({ ...cause, count })).sort((a, b) => b.count - a.count);
  }

  private clusterFor(cause: ClusterCause): Cluster {
    const found = this.clusters.get(cause.key);
    // At the maximum number of causes, new causes share one cluster per error type.
    if (found === undefined && this.clusters.size >= maxClusters && cause.message !== '…') {
      return this.clusterFor(toCause(cause.kind, this.clusters.size < 2 * maxClusters ? cause.errorType : undefined, '…'));
    }
    const cluster = found ?? { cause, count: 0 };
    this.clusters.set(cause.key, cluster);
    return cluster;
  }
}
