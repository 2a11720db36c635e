import type { AskForPairs, OpenPair, ToPairs } from '../../shared/comparison/comparisonProtocol';
import { HostStore } from '../controls/hostStore';
import { RowPages } from '../list/rowPages';

/** Number of pairs for each filter. */
export interface Counts<Filter extends string> {
  readonly counts: Readonly<Record<Filter, number>>;
}

/** The latest state from the host, and requests for more. Ignores responses for another filter. */
export class PairStore<Filter extends string, Row, Pair, Head extends Counts<Filter>> extends HostStore<ToPairs<Filter, Row, Pair, Head>> {
  head: Head | undefined;
  pair: OpenPair<Pair> | undefined;
  /** Number that changes with the listed rows. */
  revision = 0;
  readonly pages = new RowPages<Row>(
    () => this.count,
    (from, count) => this.post({ type: 'window', filter: this.filter, from, count }),
  );

  constructor(
    private readonly post: (message: AskForPairs<Filter>) => void,
    private shownFilter: Filter,
  ) {
    super();
  }

  get filter(): Filter {
    return this.shownFilter;
  }

  get count(): number {
    return this.countOf(this.filter);
  }

  countOf(filter: Filter): number {
    return this.head?.counts[filter] ?? 0;
  }

  receive(message: ToPairs<Filter, Row, Pair, Head>): void {
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

  show(filter: Filter): void {
    if (filter !== this.filter) {
      this.shownFilter = filter;
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

  private takeHead(head: Head): void {
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
