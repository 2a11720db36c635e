import { existsSync } from 'node:fs';
import { type PassContext, passOf } from '../files/lineFile';
import { type LineMap, parseLineMap, readLineMap } from '../files/lineMap';
import type { WalkedLine } from '../files/requestWalk';
import { sharedWords } from '../files/typedArrays';
import { none } from '../results/resultsFile';
import { readIndexOf } from '../results/resultsIndexFile';
import { JsonBytes } from '../scanning/jsonBytes';
import { findSubmitted } from './findSubmitted';
import { findTroubles, SentRequests, type TroubleGroup } from './findTroubles';
import { nextMaxTokens } from './remedyOf';
import type { FallbackCredit, RetryGroup, RetryModel, RetryPlan, RetryPlanSource } from './retryingJobs';
import type { SubmittedFile } from './submittedFile';

/**
 * Finds every request without a good answer, groups them by cause, and advises on each group. Reads the index, the failed rows and the
 * files once. Blocks, so it runs in a thread. Throws `LineMapError` and `IndexMismatchError`.
 */
export async function planRetry(source: RetryPlanSource, context: PassContext): Promise<RetryPlan> {
  const { files } = source;
  const index = readIndexOf(source);
  const sent = new SentRequests(files.map(({ linesPath }) => mapAt(linesPath)));
  const busy = new SentRequests(source.underWay.map(mapAt));
  const { troubles, troubleOf, rowOf, good, underWay } = findTroubles(source.joinedPath, index, sent, busy, context);
  const groups = new PlannedGroups(source);
  const json = new JsonBytes();
  const changedFiles: number[] = [];
  const isFound = new Uint8Array(sent.count);
  for (let file = files.length - 1; file >= 0 && isFound.includes(0); file--) {
    const passed = passOf(context, files.length - 1 - file, files.length);
    const fate = findSubmitted(files[file] as SubmittedFile, sent.maps[file] as LineMap, passed, (number, line) => {
      const request = sent.numberOf(file, number);
      const trouble = isFound[request] === 0 ? troubles[troubleOf[request] as number] : undefined;
      isFound[request] = 1;
      if (trouble !== undefined) {
        groups.add(trouble, { file, number, line: line.line, row: rowOf[request] as number, ...readParams(json, line) });
      }
    });
    if (fate !== 'same') {
      changedFiles.unshift(file);
    }
  }
  for (const [request, found] of isFound.entries()) {
    const trouble = found === 0 ? troubles[troubleOf[request] as number] : undefined;
    if (trouble !== undefined) {
      groups.addGone(trouble, rowOf[request] as number);
    }
  }
  return { groups: groups.finish(), kept: good, underWay, changedFiles };
}

/** Reads the map of a submission. The file is missing if the window closed while the batch was sent. */
function mapAt(linesPath: string): LineMap {
  return existsSync(linesPath) ? readLineMap(linesPath) : parseLineMap(new Uint8Array());
}

/** Returns the model and `max_tokens` of a request. The last of duplicate members wins. */
function readParams(json: JsonBytes, { bytes, paramsStart }: WalkedLine): Pick<FoundRequest, 'model' | 'maxTokens'> {
  json.bytes = bytes;
  const at = json.find(paramsStart, 'max_tokens');
  const maxTokens = at < 0 ? Number.NaN : Number(bytes.toString('latin1', at, json.skipValue(at)));
  return {
    model: json.stringAt(json.find(paramsStart, 'model')) ?? '',
    maxTokens: Number.isSafeInteger(maxTokens) && maxTokens >= 0 ? maxTokens : 0,
  };
}

/** Request of a group: its file, its number in the map of the file, its current line, and the row of its answer. */
interface FoundRequest {
  readonly file: number;
  readonly number: number;
  readonly line: number;
  readonly row: number;
  readonly model: string;
  readonly maxTokens: number;
}

/**
 * Groups of requests by cause. Answers that were cut off at `max_tokens` make two groups: requests whose limit can be raised, and requests
 * at the limit of their model. Any other cause makes one group.
 */
class PlannedGroups {
  private readonly groups = new Map<string, PlannedGroup>();
  private readonly mostTokens: ReadonlyMap<string, number>;

  constructor(private readonly source: Pick<RetryPlanSource, 'mostTokens' | 'endedAt' | 'now'>) {
    this.mostTokens = new Map(source.mostTokens);
  }

  add(trouble: TroubleGroup, request: FoundRequest): void {
    const isCut = trouble.action === 'raise_max_tokens';
    const raised = isCut ? nextMaxTokens(request.maxTokens, this.mostTokens.get(request.model)) : undefined;
    // Raising `max_tokens` does not fix answers that were cut off at the limit of their model.
    const shown: TroubleGroup =
      isCut && raised === undefined ? { ...trouble, key: atMost(trouble), action: 'edit', isSensible: false, remedy: undefined } : trouble;
    this.groupOf(shown).add(request, raised);
  }

  /** Adds a request that is no longer in any file. Must be called after all others, because its model and `max_tokens` are unknown. */
  addGone(trouble: TroubleGroup, row: number): void {
    const [one, other] = [this.groups.get(trouble.key), this.groups.get(atMost(trouble))];
    const larger = (other?.count ?? 0) > (one?.count ?? 0) ? other : one;
    (larger ?? this.groupOf(trouble)).addGone(row);
  }

  /** Returns the groups, largest first. */
  finish(): readonly RetryGroup[] {
    return [...this.groups.values()].map(group => group.finish()).sort((a, b) => b.count - a.count);
  }

  private groupOf(trouble: TroubleGroup): PlannedGroup {
    const group = this.groups.get(trouble.key) ?? new PlannedGroup(trouble, this.source);
    this.groups.set(trouble.key, group);
    return group;
  }
}

function atMost({ key }: TroubleGroup): string {
  return `${key} most`;
}

/** Time after a refusal in which its fallback credit can be used, in milliseconds (contract, Fallback credit). */
const creditMs = 5 * 60_000;

const namedModels = 20;
const namedRows = 100;

class PlannedGroup {
  private readonly found: FoundRequest[] = [];
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
    return this.found.length + this.gone;
  }

  /** Adds a request. `raised` is its proposed `max_tokens`, if any. */
  add(request: FoundRequest, raised: number | undefined): void {
    const { model, maxTokens, row } = request;
    this.found.push(request);
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
    const { tokens: _, recommendedModels: __, ...facts } = this.trouble;
    const { count, gone, models } = this;
    // Known limits of `max_tokens` for the models of these requests.
    const bounds = this.source.mostTokens.filter(([model]) => models.has(model));
    return {
      ...{ ...facts, remedy: this.remedy(bounds), count, gone, rows: this.rows.sort((a, b) => a - b) },
      ...(bounds.length > 0 && { maxAllowed: Math.min(...bounds.map(([, tokens]) => tokens)) }),
      ...this.requests(),
      models: [...models.values()].sort((a, b) => b.requests - a.requests).slice(0, namedModels),
      credit: this.credit(),
    };
  }

  private name(row: number): void {
    if (row !== none && this.rows.length < namedRows) {
      this.rows.push(row);
    }
  }

  /** Returns the remedy for all requests. If different values of `max_tokens` are proposed, each request gets its own. */
  private remedy(bounds: RetryPlanSource['mostTokens']): RetryGroup['remedy'] {
    const { minRaised: least, maxRaised: most } = this;
    if (most === 0) {
      return this.trouble.remedy;
    }
    return least === most ? { kind: 'raise_max_tokens', to: least } : { kind: 'raise_each', bounds, least, most };
  }

  private requests(): Pick<RetryGroup, 'places' | 'lines'> {
    const found = this.found.sort((a, b) => a.file - b.file || a.line - b.line);
    const places = sharedWords(found.length * 2);
    const lines = sharedWords(found.length);
    for (const [index, { file, number, line }] of found.entries()) {
      places.set([file, number], index * 2);
      lines[index] = line;
    }
    return { places, lines };
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
