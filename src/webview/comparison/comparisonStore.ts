import type {
  ComparedPairView,
  ComparisonFilter,
  ComparisonRow,
  FromComparison,
  ToComparison,
} from '../../shared/comparison/comparisonProtocol';

type Message<T extends ToComparison['type']> = Extract<ToComparison, { readonly type: T }>;

/** Rows that are asked for at once. */
const pageRows = 50;
/** Pages that are kept. */
const mostPages = 60;
/** Questions for rows that wait for an answer: while somebody scrolls, only what is seen then is asked for. */
const mostAsked = 2;

/** What the host told last, and what is still to be asked of it. Answers of another filter are dropped. */
export class ComparisonStore {
  snapshot: Message<'snapshot'> | undefined;
  pair: { readonly place: number; readonly pair?: ComparedPairView | undefined; readonly problem?: string | undefined } | undefined;
  /** Changes with the rows that are listed. */
  revision = 0;
  private readonly pages = new Map<number, readonly ComparisonRow[]>();
  private readonly asked = new Set<number>();
  private wanted = { from: 0, to: 0 };
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
        this.keep(message);
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
      this.asked.clear();
      this.revision++;
      this.changed();
    }
  }

  rowAt(place: number): ComparisonRow | undefined {
    return this.pages.get(Math.floor(place / pageRows))?.[place % pageRows];
  }

  /** Sees to it that these rows come, before any others. */
  want(from: number, to: number): void {
    this.wanted = { from, to };
    this.ask();
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

  private ask(): void {
    const last = Math.floor((Math.min(this.wanted.to, this.count) - 1) / pageRows);
    for (let page = Math.floor(this.wanted.from / pageRows); page <= last && this.asked.size < mostAsked; page++) {
      if (!this.pages.has(page) && !this.asked.has(page)) {
        this.asked.add(page);
        this.post({ type: 'window', filter: this.filter, from: page * pageRows, count: pageRows });
      }
    }
  }

  private keep({ from, rows }: Message<'rows'>): void {
    const page = Math.floor(from / pageRows);
    this.asked.delete(page);
    this.pages.delete(page);
    this.pages.set(page, rows);
    for (const oldest of [...this.pages.keys()].slice(0, Math.max(0, this.pages.size - mostPages))) {
      this.pages.delete(oldest);
    }
    this.ask();
  }

  private changed(): void {
    for (const listener of this.listeners) {
      listener();
    }
  }
}
