/** A row as it is to be drawn. */
export interface MadeRow<Item> {
  /** What stands for it in the tree. */
  readonly item: Item;
  /** All that is seen of it and below it, to tell whether it looks different. */
  readonly look: string;
  /** Milliseconds since 1970 until which it looks the same as long as nothing changes. */
  readonly until: number;
}

/** What of a tree has to be drawn again. */
export interface RowsToDraw<Item> {
  /** Whether the rows are those of before, in their order. */
  readonly wasSame: boolean;
  /** Those that look different. */
  readonly changed: readonly Item[];
}

interface Kept<Row, Item> extends MadeRow<Item> {
  readonly row: Row;
}

/**
 * The rows of a list as a tree shows them. What stands for a row is the same object for as long as it stands for the same thing, so that VS Code
 * can be told which rows to draw again, and is made anew only when the row is another one or its words are due: a change costs what changed.
 */
export class KeptRows<Row extends object, Item extends object> {
  private kept = new Map<string, Kept<Row, Item>>();
  private drawn: readonly Item[] | undefined;
  private taken: readonly Row[] | undefined;
  /** When the first of them is due. */
  private due = Number.NEGATIVE_INFINITY;

  /** `keyOf` tells one thing from another. `make` makes what stands for a row of what stood for it before, which it changes and gives back. */
  constructor(
    private readonly keyOf: (row: Row) => string,
    private readonly make: (row: Row, before: Item | undefined) => MadeRow<Item>,
    private readonly now: () => number,
  ) {}

  /** What stands for the rows that were taken in last. */
  get items(): readonly Item[] {
    return this.drawn ?? [];
  }

  /** What stands for a thing among the rows that were taken in last. */
  find(key: string): Item | undefined {
    return this.kept.get(key)?.item;
  }

  /** Takes in the rows as they are now. The same row is the same object, and so is the same list. */
  take(rows: readonly Row[]): RowsToDraw<Item> {
    const { kept, drawn } = this;
    const at = this.now();
    if (rows === this.taken && at < this.due) {
      return { wasSame: true, changed: [] };
    }
    let due = Number.POSITIVE_INFINITY;
    const next = new Map<string, Kept<Row, Item>>();
    const items: Item[] = [];
    const changed: Item[] = [];
    for (const row of rows) {
      const key = this.keyOf(row);
      const before = kept.get(key);
      const isKept = before?.row === row && at < before.until;
      const made = isKept ? before : { row, ...this.make(row, before?.item) };
      if (before !== undefined && made.look !== before.look) {
        changed.push(made.item);
      }
      next.set(key, made);
      items.push(made.item);
      due = Math.min(due, made.until);
    }
    const wasSame = drawn !== undefined && drawn.length === items.length && items.every((item, index) => item === drawn[index]);
    this.kept = next;
    this.drawn = items;
    this.taken = rows;
    this.due = due;
    return { wasSame, changed };
  }
}
