import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { RequestBudget } from '../../../common/lists/requestBudget';
import { describeError } from '../../../common/text/describeError';
import type { Submission, SubmissionRegistry } from '../../ledger';

/** Number of due batches from which list pages are read instead of single batches. */
export const pagedFrom = 10;
const pageLength = 100;
/** Minimum number of wanted batches on a page to read the next one. */
const worth = 2;

/** Error kinds that concern the list, not the service. */
const ofList: ReadonlySet<string> = new Set(['not_found', 'invalid_request', 'permission', 'other_status', 'mismatch']);

export interface PagedPollsDependencies {
  readonly registry: Pick<SubmissionRegistry, 'findByBatch'>;
  readonly warn: (message: string) => void;
}

/** Batches to find on list pages. */
export interface PagesWanted {
  readonly connection: string;
  readonly submissions: readonly Submission[];
  /** Cursor of the first page; `undefined` for the newest batches. */
  readonly cursor: string | undefined;
}

/** Polls many batches of this machine by list pages. */
export class PagedPolls {
  /** Connections whose list can't be read. */
  private readonly refused = new Set<string>();

  /** `record` is called with each batch of this machine on a page. */
  constructor(
    private readonly deps: PagedPollsDependencies,
    private readonly record: (submission: Submission, batch: MessageBatch) => Promise<void>,
  ) {}

  forgetFailures(): void {
    this.refused.clear();
  }

  /**
   * Reads pages, within the budget, while each has several wanted batches. Returns the submissions that were found; none if the list can't
   * be read. Throws other service errors.
   */
  async read(client: ServiceClient, wanted: PagesWanted, budget: RequestBudget, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { connection } = wanted;
    const found = new Set<string>();
    const left = new Set(wanted.submissions.map(({ id }) => id));
    let { cursor } = wanted;
    let isWorth = !this.refused.has(connection);
    while (isWorth && left.size >= pagedFrom && budget.left > 0 && !signal.aborted) {
      const before = left.size;
      budget.spend(1);
      const page = await this.page(client, connection, cursor, signal);
      for (const batch of page?.items ?? []) {
        const submission = this.deps.registry.findByBatch(connection, batch.id);
        if (submission !== undefined && !found.has(submission.id)) {
          found.add(submission.id);
          left.delete(submission.id);
          await this.record(submission, batch);
        }
      }
      isWorth = page?.nextCursor !== undefined && before - left.size >= worth;
      cursor = page?.nextCursor;
    }
    return found;
  }

  private async page(client: ServiceClient, connection: string, cursor: string | undefined, signal: AbortSignal) {
    try {
      return await client.batches.list({ limit: pageLength, signal, ...(cursor !== undefined && { cursor }) });
    } catch (error) {
      if (!(error instanceof ServiceError) || !ofList.has(error.kind)) {
        throw error;
      }
      this.refused.add(connection);
      this.deps.warn(`Batches of ${connection} are asked about one by one: ${describeError(error)}`);
      return undefined;
    }
  }
}
