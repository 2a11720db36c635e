import type { TroubleGroup } from './findTroubles';
import { PlannedGroup, type RequestLocation, type RequestSize } from './plannedGroup';
import { nextMaxTokens } from './remedyOf';
import type { RetryGroup, RetryPlanSource } from './retryingJobs';

/**
 * Collects the groups for one cause. That is one group, unless answers were cut off at `max_tokens`. These make two: requests whose limit
 * can be raised, and requests at the limit of their model.
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

  add(place: RequestLocation, size: RequestSize): void {
    const raised = this.raisedTo(size);
    this.groupOf(raised).add(place, size, raised);
  }

  /** Adds a request that is in no file any more, after all others: its model and `max_tokens` are unknown. */
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
