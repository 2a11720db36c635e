import type {
  FromWebview,
  QueryCompletion,
  ResultOrder,
  ResultPair,
  ResultRow,
  SurveyPicture,
  TableColumn,
  ToWebview,
} from '../../shared/results/resultsProtocol';
import { HostStore } from '../controls/hostStore';
import { RowPages } from '../list/rowPages';

type Message<T extends ToWebview['type']> = Extract<ToWebview, { readonly type: T }>;
type News = Message<'reveal' | 'filter' | 'menu'>;

interface Asked {
  readonly query: string;
  readonly order: ResultOrder | undefined;
  readonly keep: string | undefined;
  /** True if this request replaces a request that was refused. */
  readonly isFallback: boolean;
}

/** The latest state from the host, and requests for more. Ignores responses to outdated requests. */
export class ResultsStore extends HostStore<ToWebview> {
  snapshot: Message<'snapshot'> | undefined;
  arranged: Message<'arranged'> | undefined;
  refused: Message<'refused'> | undefined;
  shownBy: Pick<Asked, 'query' | 'order'> = { query: '', order: undefined };
  /** Latest charts. Their revision may be older than the revision of the rows. */
  survey: { readonly revision: number; readonly pictures: readonly SurveyPicture[]; readonly problem?: string | undefined } | undefined;
  pair: { readonly place: number; readonly pair?: ResultPair | undefined; readonly problem?: string | undefined } | undefined;
  completions: readonly QueryCompletion[] = [];
  isArranging = false;
  /** Progress of the arrangement, from 0 to 1. `undefined` if not reported. */
  searched: number | undefined;
  readonly pages = new RowPages<ResultRow>(
    () => this.count,
    (from, count) => this.post({ type: 'window', revision: this.revision, from, count }),
  );
  private request = 0;
  private asked: Asked = { query: '', order: undefined, keep: undefined, isFallback: false };
  /** `data` number of the results whose rows are shown. */
  private shownData: number | undefined;
  private completionRequest = 0;
  private news: readonly News[] = [];

  constructor(private readonly post: (message: FromWebview) => void) {
    super();
  }

  get revision(): number {
    return this.arranged?.revision ?? -1;
  }

  get count(): number {
    return this.arranged?.count ?? 0;
  }

  /** Returns the host's requests of one type, each only once. */
  takeNews<T extends News['type']>(type: T): readonly Extract<News, { readonly type: T }>[] {
    const isOfType = (news: News): news is Extract<News, { readonly type: T }> => news.type === type;
    const taken = this.news.filter(isOfType);
    this.news = this.news.filter(news => !isOfType(news));
    return taken;
  }

  receive(message: ToWebview): void {
    if (this.isOutdated(message)) {
      return;
    }
    switch (message.type) {
      case 'snapshot':
        this.snapshot = message;
        this.pages.markIncomplete();
        break;
      case 'filled':
        this.pages.markIncomplete();
        break;
      case 'arranged':
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
        this.endArranging();
        this.refuse(message);
        break;
      case 'searched':
        this.searched = message.share;
        break;
      case 'rows':
        this.pages.keep(message.from, message.rows);
        break;
      case 'survey':
        this.survey = message;
        break;
      case 'pair':
        this.pair = message;
        break;
      case 'completions':
        this.completions = message.items;
        break;
      case 'reveal':
      case 'filter':
      case 'menu':
        this.news = [...this.news, message];
        break;
    }
    this.changed();
  }

  private isOutdated(message: ToWebview): boolean {
    switch (message.type) {
      case 'arranged':
      case 'refused':
        return message.request !== this.request;
      case 'searched':
        return message.request !== this.request || !this.isArranging;
      case 'completions':
        return message.request !== this.completionRequest;
      case 'pair':
        return message.revision !== this.revision || message.place !== this.pair?.place;
      default:
        return 'revision' in message && message.revision !== this.revision;
    }
  }

  arrange(query: string, order: ResultOrder | undefined, keep: string | undefined): void {
    this.ask({ query, order, keep, isFallback: false });
    this.changed();
  }

  /** Keeps the shown query if the host refused a new one. Arranges results that arrived meanwhile by the shown query. */
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

  openPair(position: number): void {
    if (this.pair?.place === position) {
      return;
    }
    // The previous pair stays visible until the next one arrives, so that nothing flickers.
    this.pair = { place: position, pair: this.pair?.pair };
    this.post({ type: 'open', revision: this.revision, place: position });
    this.changed();
  }

  /** Requests the pair again, because its position is from another arrangement. */
  reopenPair(position: number): void {
    const { pair } = this;
    this.pair = pair && { place: -1, pair: pair.pair };
    this.openPair(position);
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

  /** Shows the columns as the user arranged them. With `isLasting`, the host saves the arrangement. */
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
}
