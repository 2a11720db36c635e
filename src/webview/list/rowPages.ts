/** Rows that are asked for at once. */
const pageRows = 50;
/** Pages that are kept. */
const mostPages = 60;
/** Questions for rows that wait for an answer: while somebody scrolls, only what is seen then is asked for. */
const mostAsked = 2;

/** The rows of a long list as far as they are here, by their places: a bounded number of pages, asked for when they are wanted. */
export class RowPages<Row> {
  private readonly pages = new Map<number, readonly Row[]>();
  private readonly asked = new Set<number>();
  /** Pages whose rows lack values that can be had by now. */
  private readonly lacking = new Set<number>();
  private wanted = { from: 0, to: 0 };

  constructor(
    private readonly count: () => number,
    private readonly ask: (from: number, count: number) => void,
  ) {}

  at(place: number): Row | undefined {
    return this.pages.get(Math.floor(place / pageRows))?.[place % pageRows];
  }

  /** Sees to it that these rows come, before any others. */
  want(from: number, to: number): void {
    this.wanted = { from, to };
    this.askOn();
  }

  /** Keeps a page that came, and asks on. */
  keep(from: number, rows: readonly Row[]): void {
    const page = Math.floor(from / pageRows);
    this.asked.delete(page);
    this.pages.delete(page);
    this.pages.set(page, rows);
    for (const oldest of [...this.pages.keys()].slice(0, Math.max(0, this.pages.size - mostPages))) {
      this.pages.delete(oldest);
    }
    this.askOn();
  }

  /** Has every page asked for once more when it is wanted; until then it stands as it is. */
  lackAll(): void {
    for (const page of this.pages.keys()) {
      this.lacking.add(page);
    }
  }

  /** Forgets all rows: they are others now. */
  clear(): void {
    this.pages.clear();
    this.asked.clear();
    this.lacking.clear();
  }

  private askOn(): void {
    const last = Math.floor((Math.min(this.wanted.to, this.count()) - 1) / pageRows);
    for (let page = Math.floor(this.wanted.from / pageRows); page <= last && this.asked.size < mostAsked; page++) {
      if ((!this.pages.has(page) || this.lacking.has(page)) && !this.asked.has(page)) {
        this.lacking.delete(page);
        this.asked.add(page);
        this.ask(page * pageRows, pageRows);
      }
    }
  }
}
