import type { TroubleGroup } from './findTroubles';
import { PlannedGroup, type RequestPlace, type RequestSize } from './plannedGroup';
import { nextMaxTokens } from './remedyOf';
import type { RetryGroup, RetryPlanSource } from './retryingJobs';

/**
 * The groups that the requests of one cause make while they are found: one; or, of answers that were cut at `max_tokens`, one of those that
 * can have more, whatever that is for each, and one of those at the most that their model allows.
 */
export class PlannedCause {
  private readonly groups = new Map<string, PlannedGroup>();
  private readonly mostTokens: ReadonlyMap<string, number>;

  constructor(
    private readonly trouble: TroubleGroup,
    private readonly source: Pick<RetryPlanSource, 'mostTokens' | 'endedAt' | 'now'>,
  ) {
    this.mostTokens = new Map(source.mostTokens);
  }

  add(place: RequestPlace, size: RequestSize): void {
    const raised = this.raisedTo(size);
    this.groupOf(raised).add(place, size, raised);
  }

  /** A request that stands nowhere any more, when all others were added: what it asked for is not known. */
  addGone(row: number): void {
    const [largest = this.groupOf(0)] = [...this.groups.values()].sort((a, b) => b.count - a.count);
    largest.addGone(row);
  }

  finish(): readonly RetryGroup[] {
    return [...this.groups.values()].map(group => group.finish());
  }

  /** The `max_tokens` that is proposed for a request; undefined where more of it is none of the remedies, or the model allows no more. */
  private raisedTo({ model, maxTokens }: Pick<RequestSize, 'model' | 'maxTokens'>): number | undefined {
    return this.trouble.action === 'raise_max_tokens' ? nextMaxTokens(maxTokens, this.mostTokens.get(model)) : undefined;
  }

  private groupOf(raised: number | undefined): PlannedGroup {
    const { trouble } = this;
    // Answers that were cut at the most a model allows are not mended by more of it.
    const isAtMost = trouble.action === 'raise_max_tokens' && raised === undefined;
    const key = isAtMost ? `${trouble.key} most` : trouble.key;
    const shown: TroubleGroup = isAtMost ? { ...trouble, key, action: 'edit', isSensible: false, remedy: undefined } : trouble;
    const group = this.groups.get(key) ?? new PlannedGroup(shown, this.source);
    this.groups.set(key, group);
    return group;
  }
}
