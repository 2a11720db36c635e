import type {
  ComparedPairView,
  ComparisonFilter,
  ComparisonRow,
  FromComparison,
  ToComparison,
} from '../../shared/comparison/comparisonProtocol';
import { RowPages } from '../list/rowPages';

type Message<T extends ToComparison['type']> = Extract<ToComparison, { readonly type: T }>;

/** What the host told last, and what is still to be asked of it. Answers of another filter are dropped. */
export class ComparisonStore {
  snapshot: Message<'snapshot'> | undefined;
  pair: { readonly place: number; readonly pair?: ComparedPairView | undefined; readonly problem?: string | undefined } | undefined;
  /** Changes with the rows that are listed. */
  revision = 0;
  private readonly pages = new RowPages<ComparisonRow>(
    () => this.count,
    (from, count) => this.post({ type: 'window', filter: this.filter, from, count }),
  );
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly post: (message: FromComparison) => void,
    private shownFilter: ComparisonFilter,
  ) {}

  get filter(): ComparisonFilter {
    return this.shownFilter;
  }

  get count(): number {
    return this.snapshot?.head.counts[this.filter] ?? 0;
  }

  receive(message: ToComparison): void {
    switch (message.type) {
      case 'snapshot':
        this.snapshot = message;
        this.revision++;
        break;
      case 'rows':
        if (message.filter !== this.filter) {
          return;
        }
        this.pages.keep(message.from, message.rows);
        break;
      case 'pair':
        if (message.filter !== this.filter || message.place !== this.pair?.place) {
          return;
        }
        this.pair = message;
        break;
    }
    this.changed();
  }

  onDidChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  show(filter: ComparisonFilter): void {
    if (filter !== this.filter) {
      this.shownFilter = filter;
      this.pair = undefined;
      this.pages.clear();
      this.revision++;
      this.changed();
    }
  }

  rowAt(place: number): ComparisonRow | undefined {
    return this.pages.at(place);
  }

  /** Sees to it that these rows come, before any others. */
  want(from: number, to: number): void {
    this.pages.want(from, to);
  }

  openPair(place: number): void {
    if (this.pair?.place !== place && place >= 0 && place < this.count) {
      // What was shown stays until the next is here: a short blank would flicker at every step.
      this.pair = { place, pair: this.pair?.pair };
      this.post({ type: 'open', filter: this.filter, place });
      this.changed();
    }
  }

  closePair(): void {
    this.pair = undefined;
    this.changed();
  }

  private changed(): void {
    for (const listener of this.listeners) {
      listener();
    }
  }
}
