import type { TroubleGroup } from './findTroubles';
import { PlannedGroup, type RequestPlace, type RequestSize } from './plannedGroup';
import { nextMaxTokens } from './remedyOf';
import type { RetryGroup, RetryPlanSource } from './retryingJobs';

/**
 * The groups that the requests of one cause make while they are found: one; or, of answers that were cut at `max_tokens`, one for every
 * value that is proposed instead, which all their models allow.
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
    this.groupOf(size).add(place, size);
  }

  /** A request that stands nowhere any more, when all others were added: what it asked for is not known. */
  addGone(row: number, id: () => string): void {
    const [largest = this.groupOf({ model: '', maxTokens: 0 })] = [...this.groups.values()].sort((a, b) => b.count - a.count);
    largest.addGone(row, id);
  }

  /** `bytesPerToken`: bytes of `params` that make one token. */
  finish(bytesPerToken: number): readonly RetryGroup[] {
    return [...this.groups.values()].map(group => group.finish(bytesPerToken));
  }

  private groupOf(size: Pick<RequestSize, 'model' | 'maxTokens'>): PlannedGroup {
    const { key, trouble } = this.troubleOf(size);
    const group = this.groups.get(key) ?? new PlannedGroup(trouble, this.source);
    this.groups.set(key, group);
    return group;
  }

  /** What is proposed; answers that were cut at the most a model allows are not mended by more of it. */
  private troubleOf({ model, maxTokens }: Pick<RequestSize, 'model' | 'maxTokens'>): {
    readonly key: string;
    readonly trouble: TroubleGroup;
  } {
    const { trouble } = this;
    if (trouble.action !== 'raise_max_tokens') {
      return { key: trouble.key, trouble };
    }
    const bound = this.mostTokens.get(model);
    const to = nextMaxTokens(maxTokens, bound);
    const key = `${trouble.key} ${to}`;
    return {
      key,
      trouble:
        to === undefined
          ? { ...trouble, key, action: 'edit', isSensible: false, remedy: undefined }
          : { ...trouble, key, remedy: { kind: 'raise_max_tokens', to } },
    };
  }
}
