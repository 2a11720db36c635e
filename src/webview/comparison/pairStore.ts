import type { ComparisonHead, ComparisonRow, FromPairs, OpenPair, ToComparison } from '../../shared/comparison/comparisonProtocol';
import { HostStore } from '../controls/hostStore';
import { RowPages } from '../list/rowPages';

/** The latest state from the host, and requests for more. Ignores responses for another filter. */
export class PairStore extends HostStore<ToComparison> {
  head: ComparisonHead | undefined;
  pair: OpenPair | undefined;
  /** Number that changes with the listed rows. */
  revision = 0;
  readonly pages = new RowPages<ComparisonRow>(
    () => this.count,
    (from, count) => this.post({ type: 'window', filter: this.filter, from, count }),
  );

  constructor(
    private readonly post: (message: FromPairs) => void,
    private chosen: string | undefined,
  ) {
    super();
  }

  get filter(): string {
    return this.chosen ?? this.head?.filters[0]?.id ?? '';
  }

  get count(): number {
    return this.head?.filters.find(({ id }) => id === this.filter)?.count ?? 0;
  }

  receive(message: ToComparison): void {
    switch (message.type) {
      case 'snapshot':
        this.takeHead(message.head);
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

  show(filter: string): void {
    if (filter !== this.filter) {
      this.chosen = filter;
      this.pair = undefined;
      this.pages.clear();
      this.revision++;
      this.changed();
    }
  }

  openPair(position: number): void {
    if (this.pair?.place !== position && position >= 0 && position < this.count) {
      // The previous pair stays visible until the next one arrives, so that nothing flickers.
      this.pair = { place: position, pair: this.pair?.pair };
      this.post({ type: 'open', filter: this.filter, place: position });
      this.changed();
    }
  }

  closePair(): void {
    this.pair = undefined;
    this.changed();
  }

  private takeHead(head: ComparisonHead): void {
    const open = this.pair;
    this.head = head;
    this.pages.clear();
    this.revision++;
    if (open !== undefined) {
      this.pair = undefined;
      this.openPair(Math.min(open.place, this.count - 1));
    }
  }
}
