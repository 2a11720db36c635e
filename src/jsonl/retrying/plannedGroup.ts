import { sharedWords } from '../files/typedArrays';
import { none } from '../results/resultsFile';
import type { TroubleGroup } from './findTroubles';
import type { FallbackCredit, RetryGroup, RetryModel, RetryPlanSource } from './retryingJobs';

/** A fallback credit is redeemed within 5 minutes of the refusal (contract, Fallback credit). */
const creditMs = 5 * 60_000;

const namedModels = 20;
const namedRows = 100;

/** Location of a request, and the row of its answer or `none`. */
export interface RequestLocation {
  readonly file: number;
  readonly number: number;
  readonly line: number;
  readonly row: number;
}

/** Model and `max_tokens` of a request. */
export interface RequestSize {
  readonly model: string;
  readonly maxTokens: number;
}

/** Collects the requests of one group of a plan. */
export class PlannedGroup {
  /** For each request: its file, number in its map, and line. */
  private readonly found: number[] = [];
  private readonly rows: number[] = [];
  private gone = 0;
  private readonly models = new Map<string, RetryModel>();
  /** Range of the proposed `max_tokens`. */
  private minRaised = Number.POSITIVE_INFINITY;
  private maxRaised = 0;

  constructor(
    private readonly trouble: TroubleGroup,
    private readonly source: Pick<RetryPlanSource, 'mostTokens' | 'endedAt' | 'now'>,
  ) {}

  /** Number of its requests. */
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

  /** Adds a request that is in no file any more. */
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

  /** Returns the remedy for all requests. If `max_tokens` is raised to different values, each gets its own. */
  private remedy(): RetryGroup['remedy'] {
    const { minRaised: least, maxRaised: most } = this;
    if (most === 0) {
      return this.trouble.remedy;
    }
    const bounds = this.source.mostTokens.filter(([model]) => this.models.has(model));
    return least === most ? { kind: 'raise_max_tokens', to: least } : { kind: 'raise_each', bounds, least, most };
  }

  /** Returns the `max_tokens` that all of its models allow, if known. */
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
    // The refusals came before the end of the batch, at an unknown time.
    const until = endedAt === undefined ? undefined : endedAt + creditMs;
    return {
      count: tokens,
      usableUntil: until !== undefined && until > now ? until : undefined,
      models: [...recommendedModels].slice(0, namedModels),
    };
  }
}
