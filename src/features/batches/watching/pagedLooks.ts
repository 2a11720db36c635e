import type { MessageBatch } from '../../../client/schemas/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import type { RequestBudget } from '../../../common/lists/requestBudget';
import { describeError } from '../../../common/text/describeError';
import type { Submission, SubmissionRegistry } from '../../ledger';

/** So many that are due at once are looked for on pages of the service's list, of which one tells of a hundred. */
export const many = 10;
const pageLength = 100;
/** A page that tells of fewer of those that are wanted is worth no further one. */
const worth = 2;

/** Failures that are those of a list, not of the service. */
const ofList: ReadonlySet<string> = new Set(['not_found', 'invalid_request', 'permission', 'other_status', 'mismatch']);

export interface PagedLooksDependencies {
  readonly registry: Pick<SubmissionRegistry, 'findByBatch'>;
  readonly warn: (message: string) => void;
}

/** What pages are to tell of. */
export interface PagesWanted {
  readonly connection: string;
  readonly submissions: readonly Submission[];
  /** Where the pages begin; undefined for the newest batch. */
  readonly cursor: string | undefined;
}

/** Looks at many batches of ours at once. */
export class PagedLooks {
  /** Connections whose list cannot be had. */
  private readonly refused = new Set<string>();

  /** `see` is told each batch of ours that a page has. */
  constructor(
    private readonly deps: PagedLooksDependencies,
    private readonly see: (submission: Submission, batch: MessageBatch) => Promise<void>,
  ) {}

  /** Connections, keys or services may be others now. */
  forgetFailures(): void {
    this.refused.clear();
  }

  /**
   * Reads pages for as long as they tell of several that are wanted, within the budget. Answers which submissions they told of; none where the list cannot be
   * had. Throws what else the service answered.
   */
  async read(client: ServiceClient, wanted: PagesWanted, budget: RequestBudget, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { connection } = wanted;
    const told = new Set<string>();
    const left = new Set(wanted.submissions.map(({ id }) => id));
    let { cursor } = wanted;
    let isWorth = !this.refused.has(connection);
    while (isWorth && left.size >= many && budget.left > 0 && !signal.aborted) {
      const before = left.size;
      budget.spend(1);
      const page = await this.page(client, connection, cursor, signal);
      for (const batch of page?.items ?? []) {
        const submission = this.deps.registry.findByBatch(connection, batch.id);
        if (submission !== undefined && !told.has(submission.id)) {
          told.add(submission.id);
          left.delete(submission.id);
          await this.see(submission, batch);
        }
      }
      isWorth = page?.nextCursor !== undefined && before - left.size >= worth;
      cursor = page?.nextCursor;
    }
    return told;
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
