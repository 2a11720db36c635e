import type {
  FromWebview,
  MenuAct,
  QueryCompletion,
  ResultOrder,
  ResultPair,
  ResultRow,
  SurveyPicture,
  TableColumn,
  ToWebview,
} from '../../shared/results/resultsProtocol';
import { RowPages } from '../list/rowPages';

type Message<T extends ToWebview['type']> = Extract<ToWebview, { readonly type: T }>;

/** A request to arrange the rows. */
interface Asked {
  readonly query: string;
  readonly order: ResultOrder | undefined;
  readonly keep: string | undefined;
  /** True if it replaces a request that was refused. */
  readonly isFallback: boolean;
}

/** What the host told last, and what is still to be asked of it. Answers to older questions are dropped. */
export class ResultsStore {
  snapshot: Message<'snapshot'> | undefined;
  arranged: Message<'arranged'> | undefined;
  /** Why the query as it is written cannot be read. */
  refused: Message<'refused'> | undefined;
  /** Query and order of the rows that are shown. */
  shownBy: Pick<Asked, 'query' | 'order'> = { query: '', order: undefined };
  /** Of the revision that it names, which may be an older one. */
  survey: { readonly revision: number; readonly pictures: readonly SurveyPicture[]; readonly problem?: string | undefined } | undefined;
  pair: { readonly place: number; readonly pair?: ResultPair | undefined; readonly problem?: string | undefined } | undefined;
  completions: readonly QueryCompletion[] = [];
  /** A question for an arrangement is under way. */
  isArranging = false;
  /** How far it has come, of 1; undefined when that was not told. */
  searched: number | undefined;
  private readonly pages = new RowPages<ResultRow>(
    () => this.count,
    (from, count) => this.post({ type: 'window', revision: this.revision, from, count }),
  );
  private request = 0;
  private asked: Asked = { query: '', order: undefined, keep: undefined, isFallback: false };
  /** `data` number of the results whose rows are shown. */
  private shownData: number | undefined;
  private completionRequest = 0;
  private revealed: string | undefined;
  private filter: string | undefined;
  private menuActs: readonly MenuAct[] = [];
  private readonly listeners = new Set<() => void>();

  constructor(private readonly post: (message: FromWebview) => void) {}

  get revision(): number {
    return this.arranged?.revision ?? -1;
  }

  get count(): number {
    return this.arranged?.count ?? 0;
  }

  /** Id of a request whose pair the host wants shown; told once. */
  takeRevealed(): string | undefined {
    const id = this.revealed;
    this.revealed = undefined;
    return id;
  }

  /** Query of the rows that the host wants shown; told once. */
  takeFilter(): string | undefined {
    const { filter } = this;
    this.filter = undefined;
    return filter;
  }

  /** What was chosen in the menu of a row; told once. */
  takeMenuActs(): readonly MenuAct[] {
    const acts = this.menuActs;
    this.menuActs = [];
    return acts;
  }

  receive(message: ToWebview): void {
    switch (message.type) {
      case 'snapshot':
        this.snapshot = message;
        this.pages.lackAll();
        break;
      case 'filled':
        if (message.revision !== this.revision) {
          return;
        }
        this.pages.lackAll();
        break;
      case 'arranged':
        if (message.request !== this.request) {
          return;
        }
        this.arranged = message;
        this.shownBy = { query: message.query, order: this.asked.order };
        this.shownData = this.snapshot?.data;
        if (!this.asked.isFallback) {
          this.refused = undefined;
        }
        this.endArranging();
        this.pages.clear();
        break;
      case 'refused':
        if (message.request !== this.request) {
          return;
        }
        this.endArranging();
        this.refuse(message);
        break;
      case 'searched':
        if (message.request !== this.request || !this.isArranging) {
          return;
        }
        this.searched = message.share;
        break;
      case 'rows':
        if (message.revision !== this.revision) {
          return;
        }
        this.pages.keep(message.from, message.rows);
        break;
      case 'survey':
        if (message.revision !== this.revision) {
          return;
        }
        this.survey = message;
        break;
      case 'pair':
        if (message.revision !== this.revision || message.place !== this.pair?.place) {
          return;
        }
        this.pair = message;
        break;
      case 'completions':
        if (message.request !== this.completionRequest) {
          return;
        }
        this.completions = message.items;
        break;
      case 'reveal':
        this.revealed = message.customId;
        break;
      case 'filter':
        this.filter = message.query;
        break;
      case 'menu':
        this.menuActs = [...this.menuActs, message.act];
        break;
    }
    this.changed();
  }

  onDidChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  arrange(query: string, order: ResultOrder | undefined, keep: string | undefined): void {
    this.ask({ query, order, keep, isFallback: false });
    this.changed();
  }

  /** Keeps the shown query if a new one can't be parsed. Results that arrived meanwhile are arranged by the shown query. */
  private refuse(message: Message<'refused'>): void {
    const { keep, isFallback } = this.asked;
    if (!isFallback) {
      this.refused = message;
    }
    if (this.shownData === undefined || this.shownData !== this.snapshot?.data) {
      const { query, order } = isFallback ? { query: '', order: undefined } : this.shownBy;
      if (!isFallback || this.asked.query !== '') {
        this.ask({ query, order, keep, isFallback: true });
      }
    }
  }

  private ask(asked: Asked): void {
    const { query, order, keep } = asked;
    this.asked = asked;
    this.isArranging = true;
    this.searched = undefined;
    this.post({
      ...{ type: 'arrange', request: ++this.request, query },
      ...(order && { order }),
      ...(keep !== undefined && { keep }),
    });
  }

  rowAt(place: number): ResultRow | undefined {
    return this.pages.at(place);
  }

  /** Sees to it that these rows come, before any others. */
  want(from: number, to: number): void {
    this.pages.want(from, to);
  }

  openPair(place: number): void {
    if (this.pair?.place === place) {
      return;
    }
    // What was shown stays until the next is here: a short blank would flicker at every step.
    this.pair = { place, pair: this.pair?.pair };
    this.post({ type: 'open', revision: this.revision, place });
    this.changed();
  }

  /** Asks for the pair anew, because its place is one of another arrangement. */
  reopenPair(place: number): void {
    const { pair } = this;
    this.pair = pair && { place: -1, pair: pair.pair };
    this.openPair(place);
  }

  closePair(): void {
    this.pair = undefined;
    this.changed();
  }

  complete(query: string, at: number): void {
    this.post({ type: 'complete', request: ++this.completionRequest, query, at });
  }

  forgetCompletions(): void {
    this.completionRequest++;
    if (this.completions.length > 0) {
      this.completions = [];
      this.changed();
    }
  }

  /** Shows columns as the user arranged them; when it is to last the host remembers that. */
  arrangeColumns(columns: readonly TableColumn[], isLasting: boolean): void {
    if (this.snapshot !== undefined) {
      this.snapshot = { ...this.snapshot, columns };
      if (isLasting) {
        this.post({ type: 'columns', columns: columns.map(({ title: _, ...column }) => column) });
      }
      this.changed();
    }
  }

  private endArranging(): void {
    this.isArranging = false;
    this.searched = undefined;
  }

  private changed(): void {
    for (const listener of this.listeners) {
      listener();
    }
  }
}
