import { IdTable } from '../files/idTable';
import { type PassContext, passOf } from '../files/lineFile';
import type { WalkedLine } from '../files/requestWalk';
import { sharedWords } from '../files/typedArrays';
import type { JoinedResults } from '../results/joinedResults';
import { none } from '../results/resultsFile';
import { readIndexOf } from '../results/resultsIndexFile';
import { JsonBytes } from '../scanning/jsonBytes';
import {
  findSubmitted,
  readSentRequests,
  readSubmittedLines,
  type SentRequests,
  type SubmittedFile,
  type SubmittedLines,
} from './findSubmitted';
import { findTroubles, type Trouble, type TroubleGroup } from './findTroubles';
import { nextMaxTokens } from './remedyOf';

export interface RetryPlanSource extends JoinedResults {
  /** Submitted files, oldest first. A request is taken from the newest file that still has its id. */
  readonly files: readonly SubmittedFile[];
  /** Later submissions without results yet. Their requests are not planned again. */
  readonly underWay: readonly SubmittedLines[];
  /** Maximum `max_tokens` by model, if known. */
  readonly mostTokens: readonly (readonly [model: string, tokens: number])[];
  /** End of the batch, and now, in milliseconds since 1970 by this machine's clock. They tell which fallback credits have expired. */
  readonly endedAt: number | undefined;
  readonly now: number;
}

/** Requests of a group to one model, with their lowest and highest `max_tokens`. */
interface RetryModel {
  readonly model: string;
  readonly requests: number;
  readonly minOfOne: number;
  readonly maxOfOne: number;
}

/** Requests without a good answer for one cause. The columns, in shared memory, leave out `gone` and `unknown` requests. */
export interface RetryGroup extends Trouble {
  readonly count: number;
  /** First rows in the joined file, at most 100. */
  readonly rows: readonly number[];
  /** Pairs of a file, as an index into `files`, and the number of a request in its `lines.tsv`. */
  readonly places: Uint32Array;
  /** Current 0-based line of each request in its file. */
  readonly lines: Uint32Array;
  /** Lowest known limit of `max_tokens` among the models. */
  readonly maxAllowed?: number;
  /** Number of requests that are no longer in any file. */
  readonly gone: number;
  /** Number of requests that can't be sent again, because the list of their batch is lost. */
  readonly unknown: number;
  /** Models of the requests, most used first, at most 20. */
  readonly models: readonly RetryModel[];
  /** Fallback credit of the refused requests. */
  readonly credit: FallbackCredit | undefined;
}

/** Summary of the fallback credit tokens that make a retry cheaper. The tokens themselves are never exposed. */
export interface FallbackCredit {
  readonly count: number;
  /** Latest time at which the tokens may expire, in milliseconds since 1970. `undefined` if unknown or if all have expired. */
  readonly usableUntil: number | undefined;
  readonly models: readonly string[];
}

export interface RetryPlan {
  /** Groups of requests, largest first. */
  readonly groups: readonly RetryGroup[];
  readonly kept: number;
  /** Number of requests in batches without results yet. */
  readonly underWay: number;
  /** Indexes into `files` of the files that are missing or have changed since they were sent. */
  readonly changedFiles: readonly number[];
}

/**
 * Finds every request without a good answer, groups them by cause, and advises on each group. Reads the index, the failed rows and the
 * files once. Blocks, so it runs in a thread. Throws `LineMapError` and `IndexMismatchError`.
 */
export async function planRetry(source: RetryPlanSource, context: PassContext): Promise<RetryPlan> {
  const { files } = source;
  const index = readIndexOf(source);
  const lists = readSentRequests(files);
  const sent = new IdTable();
  const numbers = lists.map(({ map }) => sent.addAll(map.ids));
  const busy = new IdTable();
  for (const submission of source.underWay) {
    busy.addAll(readSubmittedLines(submission).ids);
  }
  const isLost = lists.some(({ isCertain }) => !isCertain);
  if (isLost) {
    sent.addAll(index.ids);
  }
  const { troubles, troubleOf, rowOf, good, underWay } = findTroubles(source.joinedPath, index, sent, busy, context);
  const groups = new Map<string, PlannedGroup>();
  const groupOf = (trouble: TroubleGroup): PlannedGroup => {
    const group = groups.get(trouble.key) ?? new PlannedGroup(trouble, source);
    groups.set(trouble.key, group);
    return group;
  };
  const mostTokens = new Map(source.mostTokens);
  const json = new JsonBytes();
  const changedFiles: number[] = [];
  const isFound = new Uint8Array(sent.size);
  const isListed = new Uint8Array(sent.size);
  for (let file = files.length - 1; file >= 0 && isFound.includes(0); file--) {
    const { map, isCertain } = lists[file] as SentRequests;
    if (!isCertain) {
      continue;
    }
    for (const number of numbers[file] ?? []) {
      isListed[number] = 1;
    }
    const passed = passOf(context, files.length - 1 - file, files.length);
    const fate = findSubmitted(files[file] as SubmittedFile, map, passed, (number, line) => {
      const request = numbers[file]?.[number] as number;
      const trouble = isFound[request] === 0 ? troubles[troubleOf[request] as number] : undefined;
      isFound[request] = 1;
      if (trouble === undefined) {
        return;
      }
      const { model, maxTokens } = readParams(json, line);
      const isCut = trouble.action === 'raise_max_tokens';
      const raised = isCut ? nextMaxTokens(maxTokens, mostTokens.get(model)) : undefined;
      const group = groupOf(isCut && raised === undefined ? atLimit(trouble) : trouble);
      group.add({ file, number, line: line.line, row: rowOf[request] as number, model, maxTokens }, raised);
    });
    if (fate !== 'same') {
      changedFiles.unshift(file);
    }
  }
  for (const [request, found] of isFound.entries()) {
    const trouble = found === 0 ? troubles[troubleOf[request] as number] : undefined;
    if (trouble !== undefined) {
      // The model and `max_tokens` of the request are unknown, so the request joins the larger group of its cause.
      const [one, other] = [groups.get(trouble.key), groups.get(atLimit(trouble).key)];
      const larger = (other?.count ?? 0) > (one?.count ?? 0) ? other : one;
      (larger ?? groupOf(trouble)).addMissing(rowOf[request] as number, isLost && isListed[request] === 0);
    }
  }
  const planned = [...groups.values()].map(group => group.finish()).sort((a, b) => b.count - a.count);
  return { groups: planned, kept: good, underWay, changedFiles };
}

/** Returns the group for answers that were cut off at the limit of their model. Raising `max_tokens` does not fix such answers. */
function atLimit(trouble: TroubleGroup): TroubleGroup {
  return { ...trouble, key: `${trouble.key} most`, action: 'edit', isSensible: false, remedy: undefined };
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

/** Time after a refusal in which its fallback credit can be used, in milliseconds (contract, Fallback credit). */
const creditMs = 5 * 60_000;

const namedModels = 20;
const namedRows = 100;

class PlannedGroup {
  private readonly found: FoundRequest[] = [];
  private readonly rows: number[] = [];
  private gone = 0;
  private unknown = 0;
  private readonly models = new Map<string, RetryModel>();
  private minRaised = Number.POSITIVE_INFINITY;
  private maxRaised = 0;

  constructor(
    private readonly trouble: TroubleGroup,
    private readonly source: RetryPlanSource,
  ) {}

  get count(): number {
    return this.found.length + this.gone + this.unknown;
  }

  /** Adds a request. `raised` is its proposed `max_tokens`, or `undefined`. */
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

  /** Adds a request that can't be sent again: its file no longer has it, or the list of its batch is lost. */
  addMissing(row: number, isUnknown: boolean): void {
    this.name(row);
    this.gone += isUnknown ? 0 : 1;
    this.unknown += isUnknown ? 1 : 0;
  }

  finish(): RetryGroup {
    const { tokens: _, recommendedModels: __, ...facts } = this.trouble;
    const { count, gone, unknown, models } = this;
    // Known limits of `max_tokens` for the models of these requests.
    const bounds = this.source.mostTokens.filter(([model]) => models.has(model));
    return {
      ...{ ...facts, remedy: this.remedy(bounds), count, gone, unknown, rows: this.rows.sort((a, b) => a - b) },
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
