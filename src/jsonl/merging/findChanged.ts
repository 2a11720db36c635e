import { createHash } from 'node:crypto';
import { ParamsHasher } from '../arranging/paramsHash';
import { derivedId } from '../files/derivedIds';
import type { PassContext } from '../files/lineFile';
import { readLineMap } from '../files/lineMap';
import { idOf, type WalkedLine, walkRequests } from '../files/requestWalk';
import { sharedWords } from '../files/typedArrays';
import type { JoinedResults } from '../results/joinedResults';
import { storedAnswers } from '../results/resultStatus';
import { none } from '../results/resultsFile';
import { type IndexContents, readIndexOf } from '../results/resultsIndexFile';
import { type ChangeReason, changeReasons } from './changeReasons';
import { RequestHashes } from './requestHashes';

export interface ChangedSource {
  readonly path: string;
  /** Earlier submissions, oldest first. */
  readonly before: readonly {
    readonly linesPath: string;
    /** Path of `requests.hash`. Without this file, the content of the requests is unknown. */
    readonly hashesPath?: string;
    /** Results of the submission. If missing, none of its requests succeeded. */
    readonly results?: JoinedResults;
    /** True if the submission is an unchanged file of retries. A success also counts for the request that was retried. */
    readonly isRetry?: boolean;
  }[];
}

export interface ChangedRequests {
  readonly sha256: string;
  /** 0-based lines, ascending, of the requests without a success for their current content. In shared memory. */
  readonly lines: Uint32Array;
  /** Reason for each of `lines`, as an index into `changeReasons`. In shared memory. */
  readonly why: Uint8Array;
  /** Number of `lines` by reason, and of requests that don't have to be sent. */
  readonly counts: Readonly<Record<ChangeReason | 'kept', number>>;
}

/**
 * Returns the requests of a file that have to be sent, each with the reason. Leaves out a request if one with the same id and the same
 * `params`, in any notation, succeeded before. The success of an unchanged retry counts too. A line of bare params has the id derived from
 * its line number. Memory grows with the number of requests. Blocks, so it runs in a thread. Throws `IndexMismatchError`, `LineMapError`
 * and `LineTooLongError`.
 */
export async function findChanged({ path, before }: ChangedSource, context: PassContext): Promise<ChangedRequests> {
  const earlier = before.map(one => new Earlier(one));
  const hash = createHash('sha256');
  const hasher = new ParamsHasher();
  const found: (readonly [line: number, why: number])[] = [];
  const counts: Record<ChangeReason | 'kept', number> = { new: 0, changed: 0, failed: 0, unknown: 0, kept: 0 };
  walkRequests(
    path,
    walked => {
      const id = walked.paramsStart < 0 ? undefined : (idOf(walked) ?? (walked.kind === 'params' ? derivedId(walked.line) : undefined));
      const reason = id === undefined ? undefined : reasonOf(earlier, id, walked, hasher);
      if (id !== undefined) {
        counts[reason ?? 'kept']++;
      }
      if (reason !== undefined) {
        found.push([walked.line, changeReasons.indexOf(reason)]);
      }
    },
    context,
    bytes => hash.update(bytes),
  );
  const lines = sharedWords(found.length);
  const why = new Uint8Array(new SharedArrayBuffer(found.length));
  for (const [index, [line, reason]] of found.entries()) {
    lines[index] = line;
    why[index] = reason;
  }
  return { sha256: hash.digest('hex'), lines, why, counts };
}

function reasonOf(earlier: readonly Earlier[], id: string, walked: WalkedLine, hasher: ParamsHasher): ChangeReason | undefined {
  let now: Buffer | undefined;
  let reason: ChangeReason = 'new';
  let wasSame = false;
  for (const one of earlier) {
    const sent = one.hashOf(id);
    if (sent === undefined) {
      continue;
    }
    if (sent === 'unknown' && !(one.isRetry && wasSame)) {
      wasSame = false;
      reason = reason === 'failed' ? reason : 'unknown';
      continue;
    }
    now ??= hasher.hash(walked.bytes, walked.paramsStart, walked.paramsEnd);
    // An unchanged retry has the content of the request that it retries, even if the retry raised `max_tokens`.
    wasSame = (one.isRetry && wasSame) || (sent !== 'unknown' && now.equals(sent));
    if (wasSame) {
      if (one.hasSuccess(id)) {
        return undefined;
      }
      reason = 'failed';
    } else if (reason === 'new') {
      reason = 'changed';
    }
  }
  return reason;
}

class Earlier {
  private readonly sent: RequestHashes | undefined;
  /** Ids that were sent, if the hashes of their requests are unknown. */
  private readonly ids: ReturnType<typeof readLineMap>['ids'] | undefined;
  private readonly results: IndexContents | undefined;
  readonly isRetry: boolean;

  constructor({ linesPath, hashesPath, results, isRetry = false }: ChangedSource['before'][number]) {
    this.isRetry = isRetry;
    this.sent = hashesPath === undefined ? undefined : RequestHashes.openSync(hashesPath, linesPath);
    this.ids = hashesPath === undefined ? readLineMap(linesPath).ids : undefined;
    this.results = results && readIndexOf(results);
  }

  /** Returns the hash of the sent request, `unknown` for a sent request without a hash, and `undefined` for a request that was not sent. */
  hashOf(id: string): Buffer | 'unknown' | undefined {
    return this.ids === undefined ? this.sent?.of(id) : this.ids.findText(id) < 0 ? undefined : 'unknown';
  }

  hasSuccess(id: string): boolean {
    const { results } = this;
    const number = results === undefined ? -1 : results.ids.findText(id);
    const row = number < 0 ? none : (results?.rowOfId[number] as number);
    return row !== none && storedAnswers[results?.rows.statuses[row] ?? -1] === true;
  }
}
