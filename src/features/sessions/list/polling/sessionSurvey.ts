import type { Session, SessionFilters } from '../../../../client/resources/sessions';
import type { ServiceClient } from '../../../../client/serviceClient';
import type { Page } from '../../../../client/transport/callResult';
import { ServiceError } from '../../../../client/transport/errors';
import { PageGuard } from '../../../../client/transport/pagination';
import type { Clock } from '../../../../common/clock';

/** Coverage of the sessions after the first page. `reading`: not complete yet. `bounded`: there are more sessions than the limit. */
export type SurveyReach = 'none' | 'reading' | 'whole' | 'bounded';

type Client = Pick<ServiceClient, 'sessions'>;

interface Pass {
  readonly filters: SessionFilters;
  /** Ends the pass at its maximum number of pages, or if the service repeats pages. */
  readonly guard: PageGuard<Session>;
  cursor: string | undefined;
  pages: number;
  isOver: boolean;
  /** True if the pass reached the end of the list, not a limit. */
  isWhole: boolean;
}

/**
 * Reads the sessions after the first page of a list, because any of them can have open asks. Requests the running sessions by their state,
 * then the idle and the newest ended sessions. If a service refuses or ignores this filter (API facts, section 7), reads page by page in
 * the service's own order.
 */
export class SessionSurvey {
  private takesStatuses = true;
  private passes: Pass[] = [];
  /** Coverage of the last complete sweep, or of the first sweep while it is running. */
  reach: SurveyReach = 'none';
  private endedAt = Number.NEGATIVE_INFINITY;
  private sweptPages = 0;

  constructor(
    private readonly clock: Pick<Clock, 'monotonic'>,
    /** Called with each page, requested at `asOf`, in monotonic milliseconds. */
    private readonly onPage: (sessions: readonly Session[], asOf: number) => void,
  ) {}

  get isUnderWay(): boolean {
    return this.passes.length > 0;
  }

  get isDue(): boolean {
    const rest = Math.max(minRest, this.sweptPages * restPerPage);
    return this.isUnderWay || this.clock.monotonic() - this.endedAt >= rest;
  }

  reset(): void {
    this.takesStatuses = true;
    this.reach = 'none';
    this.sweptPages = 0;
    this.startOver();
  }

  startOver(): void {
    this.passes = [];
    this.endedAt = Number.NEGATIVE_INFINITY;
  }

  /** Reads all running sessions if the service can filter by state. Returns the number of requests. */
  async readRunning(client: Client, signal: AbortSignal): Promise<number> {
    const pass = newPass({ statuses: ['running', 'rescheduling'] }, maxRunningPages);
    let requests = 0;
    while (this.takesStatuses && !pass.isOver && !signal.aborted) {
      requests++;
      await this.readPage(client, pass, signal);
    }
    return requests;
  }

  /** Reads one page of the sweep. Starts a sweep if no sweep is running. */
  async step(client: Client, signal: AbortSignal): Promise<void> {
    if (this.passes.length === 0) {
      this.start();
    }
    const [pass] = this.passes;
    if (pass === undefined) {
      return;
    }
    await this.readPage(client, pass, signal);
    if (!pass.isOver || signal.aborted || this.passes[0] !== pass) {
      return;
    }
    this.sweptPages += pass.pages;
    if (pass.filters.statuses?.includes('terminated') !== true) {
      this.reach = pass.isWhole ? 'whole' : 'bounded';
    }
    this.passes.shift();
    if (this.passes.length === 0) {
      this.endedAt = this.clock.monotonic();
    }
  }

  private async readPage(client: Client, pass: Pass, signal: AbortSignal): Promise<void> {
    const asOf = this.clock.monotonic();
    let page: Page<Session>;
    try {
      page = await client.sessions.list({ ...pass.filters, limit: pageLength, signal, ...(pass.cursor && { cursor: pass.cursor }) });
    } catch (error) {
      const isPlain = pass.cursor === undefined && pass.filters.statuses === undefined;
      if (isPlain || !(error instanceof ServiceError) || error.kind !== 'invalid_request') {
        throw error;
      }
      // A cursor that the service no longer knows ends the pass. The next sweep starts at the newest session.
      pass.isOver = true;
      if (pass.cursor === undefined) {
        this.readWithoutFilter();
      }
      return;
    }
    if (signal.aborted) {
      return;
    }
    pass.pages++;
    this.onPage(page.items, asOf);
    const { statuses } = pass.filters;
    if (statuses !== undefined && page.items.some(({ status }) => typeof status === 'string' && !statuses.includes(status))) {
      this.readWithoutFilter();
      pass.isOver = true;
      return;
    }
    const { nextCursor, cut } = pass.guard.accept(page);
    pass.cursor = nextCursor;
    pass.isOver = nextCursor === undefined;
    pass.isWhole = pass.isOver && cut === undefined;
  }

  private readWithoutFilter(): void {
    this.takesStatuses = false;
    this.start();
  }

  private start(): void {
    this.sweptPages = 0;
    this.passes = this.takesStatuses
      ? [newPass({ statuses: ['idle'] }, maxPages), newPass({ statuses: ['terminated'] }, 1)]
      : [newPass({}, maxPages)];
    this.reach = this.reach === 'none' ? 'reading' : this.reach;
  }
}

function newPass(filters: SessionFilters, most: number): Pass {
  return { filters, guard: new PageGuard(most), cursor: undefined, pages: 0, isOver: false, isWhole: false };
}

const pageLength = 100;
const maxPages = 20;
const maxRunningPages = 5;
// Minimum milliseconds between two sweeps, in total and per page of the last sweep. The longer time applies.
const minRest = 60_000;
const restPerPage = 15_000;
