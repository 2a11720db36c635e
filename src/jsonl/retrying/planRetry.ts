import { existsSync } from 'node:fs';
import { type PassContext, passOf } from '../files/lineFile';
import { type LineMap, parseLineMap, readLineMap } from '../files/lineMap';
import type { WalkedLine } from '../files/requestWalk';
import { sharedWords } from '../files/typedArrays';
import { none } from '../results/resultsFile';
import { readIndexOf } from '../results/resultsIndexFile';
import { JsonBytes } from '../scanning/jsonBytes';
import { findSubmitted } from './findSubmitted';
import { findTroubles, SentRequests, type Trouble, type TroubleGroup } from './findTroubles';
import { nextMaxTokens } from './remedyOf';
import type { FallbackCredit, RetryGroup, RetryModel, RetryPlan, RetryPlanSource } from './retryingJobs';

/**
 * Finds every request without a good answer, groups them by cause, and advises on each group. Reads the index, the failed rows and the
 * files once. Blocks, so it runs in a thread. Throws `LineMapError` and `IndexMismatchError`.
 */
export async function planRetry(source: RetryPlanSource, context: PassContext): Promise<RetryPlan> {
  const index = readIndexOf(source);
  const sent = new SentRequests(source.files.map(({ linesPath }) => mapAt(linesPath)));
  const busy = new SentRequests(source.underWay.map(mapAt));
  const troubles = findTroubles(source.joinedPath, index, sent, busy, context);
  const causes = troubles.groups.map(trouble => new PlannedCause(trouble, source));
  const changedFiles = findRequests(source, sent, troubles, causes, context);
  return {
    groups: causes.flatMap(cause => cause.finish()).sort((a, b) => b.count - a.count),
    kept: troubles.good,
    underWay: troubles.underWay,
    changedFiles,
  };
}

/** Reads the map of a submission. The file is missing if the window closed while the batch was sent. */
function mapAt(linesPath: string): LineMap {
  return existsSync(linesPath) ? readLineMap(linesPath) : parseLineMap(new Uint8Array());
}

function findRequests(
  { files }: RetryPlanSource,
  sent: SentRequests,
  { groupOf, rowOf }: Trouble,
  causes: readonly PlannedCause[],
  context: PassContext,
): readonly number[] {
  const json = new JsonBytes();
  const changedFiles: number[] = [];
  const isFound = new Uint8Array(sent.count);
  let left = isFound.length;
  for (let file = files.length - 1; file >= 0 && left > 0; file--) {
    const submitted = files[file];
    const map = sent.maps[file];
    if (submitted === undefined || map === undefined) {
      continue;
    }
    const fate = findSubmitted(submitted, map, passOf(context, files.length - 1 - file, files.length), (number, line) => {
      const request = sent.numberOf(file, number);
      if (isFound[request] !== 0) {
        return;
      }
      isFound[request] = 1;
      left--;
      causes[groupOf[request] as number]?.add({ file, number, line: line.line, row: rowOf[request] as number }, readParams(json, line));
    });
    if (fate !== 'same') {
      changedFiles.unshift(file);
    }
  }
  for (let request = 0; left > 0 && request < isFound.length; request++) {
    if (isFound[request] === 0) {
      left--;
      causes[groupOf[request] as number]?.addGone(rowOf[request] as number);
    }
  }
  return changedFiles;
}

/** Returns the model and `max_tokens` of a request, the last one of duplicate members. */
function readParams(json: JsonBytes, { bytes, paramsStart }: WalkedLine): { readonly model: string; readonly maxTokens: number } {
  json.bytes = bytes;
  const at = json.find(paramsStart, 'max_tokens');
  const maxTokens = at < 0 ? Number.NaN : Number(bytes.toString('latin1', at, json.skipValue(at)));
  return {
    model: json.stringAt(json.find(paramsStart, 'model')) ?? '',
    maxTokens: Number.isSafeInteger(maxTokens) && maxTokens >= 0 ? maxTokens : 0,
  };
}

/**
 * Collects the groups for one cause. Answers that were cut off at `max_tokens` make two groups: requests whose limit can be raised, and
 * requests at the limit of their model. Any other cause makes one group.
 */
class PlannedCause {
  private readonly groups = new Map<string, PlannedGroup>();
  private readonly mostTokens: ReadonlyMap<string, number>;

  constructor(
    private readonly trouble: TroubleGroup,
    private readonly source: Pick<RetryPlanSource, 'mostTokens' | 'endedAt' | 'now'>,
  ) {
    this.mostTokens = new Map(source.mostTokens);
  }

  add(location: RequestLocation, size: RequestSize): void {
    const raised = this.raisedTo(size);
    this.groupOf(raised).add(location, size, raised);
  }

  /** Adds a request that is no longer in any file. Must be called after all others, because its model and `max_tokens` are unknown. */
  addGone(row: number): void {
    const [largest = this.groupOf(0)] = [...this.groups.values()].sort((a, b) => b.count - a.count);
    largest.addGone(row);
  }

  finish(): readonly RetryGroup[] {
    return [...this.groups.values()].map(group => group.finish());
  }

  /** Returns the proposed `max_tokens` of a request, or `undefined` if raising it is no remedy or the model allows no more. */
  private raisedTo({ model, maxTokens }: Pick<RequestSize, 'model' | 'maxTokens'>): number | undefined {
    return this.trouble.action === 'raise_max_tokens' ? nextMaxTokens(maxTokens, this.mostTokens.get(model)) : undefined;
  }

  private groupOf(raised: number | undefined): PlannedGroup {
    const { trouble } = this;
    // Raising `max_tokens` does not fix answers that were cut off at the limit of their model.
    const isAtMost = trouble.action === 'raise_max_tokens' && raised === undefined;
    const key = isAtMost ? `${trouble.key} most` : trouble.key;
    const shown: TroubleGroup = isAtMost ? { ...trouble, key, action: 'edit', isSensible: false, remedy: undefined } : trouble;
    const group = this.groups.get(key) ?? new PlannedGroup(shown, this.source);
    this.groups.set(key, group);
    return group;
  }
}

/** Time after a refusal in which its fallback credit can be used, in milliseconds (contract, Fallback credit). */
const creditMs = 5 * 60_000;

const namedModels = 20;
const namedRows = 100;

interface RequestLocation {
  readonly file: number;
  readonly number: number;
  readonly line: number;
  readonly row: number;
}

interface RequestSize {
  readonly model: string;
  readonly maxTokens: number;
}

class PlannedGroup {
  /** File, number in the map of the file, and line of each request. */
  private readonly found: number[] = [];
  private readonly rows: number[] = [];
  private gone = 0;
  private readonly models = new Map<string, RetryModel>();
  private minRaised = Number.POSITIVE_INFINITY;
  private maxRaised = 0;

  constructor(
    private readonly trouble: TroubleGroup,
    private readonly source: Pick<RetryPlanSource, 'mostTokens' | 'endedAt' | 'now'>,
  ) {}

  get count(): number {
    return this.found.length / 3 + this.gone;
  }

  /** Adds a request. `raised` is its proposed `max_tokens`, if any. */
  add({ file, number, line, row }: RequestLocation, { model, maxTokens }: RequestSize, raised: number | undefined): void {
    this.found.push(file, number, line);
    this.name(row);
    const { requests = 0, minOfOne = maxTokens, maxOfOne = maxTokens } = this.models.get(model) ?? {};
    const bounds = { minOfOne: Math.min(minOfOne, maxTokens), maxOfOne: Math.max(maxOfOne, maxTokens) };
    this.models.set(model, { model, requests: requests + 1, ...bounds });
    if (raised !== undefined) {
      this.minRaised = Math.min(this.minRaised, raised);
      this.maxRaised = Math.max(this.maxRaised, raised);
    }
  }

  addGone(row: number): void {
    this.name(row);
    this.gone++;
  }

  finish(): RetryGroup {
    const { key, kind, errorType, stopReason, message, reason, action, isSensible } = this.trouble;
    const { count, gone } = this;
    const facts = { key, kind, errorType, stopReason, message, reason, action, isSensible, remedy: this.remedy(), count, gone };
    const rows = this.rows.sort((a, b) => a - b);
    return { ...facts, rows, ...this.bound(), ...this.requests(), models: this.mostUsed(), credit: this.credit() };
  }

  private name(row: number): void {
    if (row !== none && this.rows.length < namedRows) {
      this.rows.push(row);
    }
  }

  /** Returns the remedy for all requests. If different values of `max_tokens` are proposed, each request gets its own. */
  private remedy(): RetryGroup['remedy'] {
    const { minRaised: least, maxRaised: most } = this;
    if (most === 0) {
      return this.trouble.remedy;
    }
    const bounds = this.source.mostTokens.filter(([model]) => this.models.has(model));
    return least === most ? { kind: 'raise_max_tokens', to: least } : { kind: 'raise_each', bounds, least, most };
  }

  /** Returns the lowest known limit of `max_tokens` among the models of the requests. */
  private bound(): Pick<RetryGroup, 'maxAllowed'> {
    const most = new Map(this.source.mostTokens);
    const bounds = [...this.models.keys()].flatMap(model => most.get(model) ?? []);
    return bounds.length === 0 ? {} : { maxAllowed: Math.min(...bounds) };
  }

  private requests(): Pick<RetryGroup, 'places' | 'lines'> {
    const { found } = this;
    const count = found.length / 3;
    const at = (index: number) => found[index] as number;
    const order = Array.from({ length: count }, (_, index) => index * 3).sort((a, b) => at(a) - at(b) || at(a + 2) - at(b + 2));
    const places = sharedWords(count * 2);
    const lines = sharedWords(count);
    for (const [index, from] of order.entries()) {
      places[index * 2] = at(from);
      places[index * 2 + 1] = at(from + 1);
      lines[index] = at(from + 2);
    }
    return { places, lines };
  }

  private mostUsed(): readonly RetryModel[] {
    return [...this.models.values()].sort((a, b) => b.requests - a.requests).slice(0, namedModels);
  }

  private credit(): FallbackCredit | undefined {
    const { tokens, recommendedModels } = this.trouble;
    const { endedAt, now } = this.source;
    if (tokens === 0) {
      return undefined;
    }
    // The refusals occurred before the end of the batch, at an unknown time.
    const until = endedAt === undefined ? undefined : endedAt + creditMs;
    return {
      count: tokens,
      usableUntil: until !== undefined && until > now ? until : undefined,
      models: [...recommendedModels].slice(0, namedModels),
    };
  }
}
