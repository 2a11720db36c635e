/** Number of requests per model. */
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

  /** Most used model. If several are used equally often, the first to reach that count wins. `undefined` if there is none. */
  get mostUsed(): string | undefined {
    return this.most;
  }
}
