const pageRows = 50;
const maxPages = 60;
/** Maximum number of pending requests. After a scroll past many rows, only the rows then in view are requested next. */
const maxAsked = 2;

/** Cache of the rows of a long list, by position. Holds a bounded number of pages and requests missing pages on demand. */
export class RowPages<Row> {
  private readonly pages = new Map<number, readonly Row[]>();
  private readonly asked = new Set<number>();
  /** Cached pages with rows that another request can complete. */
  private readonly incomplete = new Set<number>();
  private wanted = { from: 0, to: 0 };

  constructor(
    private readonly count: () => number,
    private readonly ask: (from: number, count: number) => void,
  ) {}

  at(position: number): Row | undefined {
    return this.pages.get(Math.floor(position / pageRows))?.[position % pageRows];
  }

  /** Requests these rows ahead of any others. */
  want(from: number, to: number): void {
    this.wanted = { from, to };
    this.askOn();
  }

  keep(from: number, rows: readonly Row[]): void {
    const page = Math.floor(from / pageRows);
    this.asked.delete(page);
    this.pages.delete(page);
    this.pages.set(page, rows);
    for (const oldest of [...this.pages.keys()].slice(0, Math.max(0, this.pages.size - maxPages))) {
      this.pages.delete(oldest);
    }
    this.askOn();
  }

  /** Marks every page to be requested again by `want`. Until then, the rows of the page stay visible. */
  markIncomplete(): void {
    for (const page of this.pages.keys()) {
      this.incomplete.add(page);
    }
  }

  clear(): void {
    this.pages.clear();
    this.asked.clear();
    this.incomplete.clear();
  }

  private askOn(): void {
    const last = Math.floor((Math.min(this.wanted.to, this.count()) - 1) / pageRows);
    for (let page = Math.floor(this.wanted.from / pageRows); page <= last && this.asked.size < maxAsked; page++) {
      if ((!this.pages.has(page) || this.incomplete.has(page)) && !this.asked.has(page)) {
        this.incomplete.delete(page);
        this.asked.add(page);
        this.ask(page * pageRows, pageRows);
      }
    }
  }
}
