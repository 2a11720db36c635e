import type { RequestChange, RetryGroup, RetryPlan } from '../../../jsonl/retrying/retryingJobs';
import { type PlannedAct, proposedAct } from './retryPresentation';

/** The groups of a plan that are sent again, with the changes in their requests. */
export class RetryChoice {
  private readonly acts = new Map<string, PlannedAct>();
  private readonly chosen: Set<string>;

  constructor(private readonly plan: RetryPlan) {
    this.chosen = new Set(plan.groups.filter(group => group.isSensible && group.lines.length > 0).map(({ key }) => key));
  }

  actOf(group: RetryGroup): PlannedAct {
    return this.acts.get(group.key) ?? proposedAct(group);
  }

  has({ key }: RetryGroup): boolean {
    return this.chosen.has(key);
  }

  find(key: string): RetryGroup | undefined {
    return this.plan.groups.find(group => group.key === key && group.lines.length > 0);
  }

  choose(group: RetryGroup, isChosen: boolean): void {
    if (isChosen) {
      this.chosen.add(group.key);
    } else {
      this.chosen.delete(group.key);
    }
  }

  /** Sets the change for a group and selects it. */
  change(group: RetryGroup, act: PlannedAct): void {
    this.acts.set(group.key, act);
    this.chosen.add(group.key);
  }

  /** The selected groups, as they are written. */
  get groups(): readonly { readonly change: RequestChange | undefined; readonly places: Uint32Array; readonly lines: Uint32Array }[] {
    return this.plan.groups
      .filter(group => this.has(group))
      .map(group => ({ change: this.actOf(group).change, places: group.places, lines: group.lines }));
  }

  get count(): number {
    return this.groups.reduce((sum, { lines }) => sum + lines.length, 0);
  }
}
