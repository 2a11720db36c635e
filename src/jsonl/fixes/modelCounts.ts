/** How many requests ask each model. */
export class ModelCounts {
  private readonly counts = new Map<string, number>();
  private most: string | undefined;

  add(model: string | undefined): void {
    if (!model) {
      return;
    }
    const count = (this.counts.get(model) ?? 0) + 1;
    this.counts.set(model, count);
    if (this.most === undefined || count > (this.counts.get(this.most) ?? 0)) {
      this.most = model;
    }
  }

  /** The model that most requests ask, of several the one that was first to come so far; undefined without any. */
  get mostUsed(): string | undefined {
    return this.most;
  }
}
