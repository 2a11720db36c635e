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
  readonly key: string;
  readonly row: Row;
}

/**
 * The rows of a list as a tree shows them. What stands for a row is the same object for as long as it stands for the same thing, so that VS Code
 * can be told which rows to draw again, and is made anew only when the row is another one or its words are due: a change costs what changed.
 */
export class KeptRows<Row extends object, Item extends object> {
  private kept: readonly Kept<Row, Item>[] | undefined;
  private byKey: ReadonlyMap<string, Kept<Row, Item>> | undefined;
  private taken: readonly Row[] | undefined;
  private names: unknown;
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
    return (this.kept ?? []).map(({ item }) => item);
  }

  /** Takes in the current rows. An unchanged row keeps its object, and so does an unchanged list. Other `names` make every row due. */
  take(rows: readonly Row[], names?: unknown): RowsToDraw<Item> {
    const before = this.kept;
    const hasNames = names === this.names;
    const at = hasNames ? this.now() : Number.POSITIVE_INFINITY;
    this.names = names;
    if (rows === this.taken && at < this.due) {
      return { wasSame: true, changed: [] };
    }
    const changed: Item[] = [];
    let wasSame = before?.length === rows.length;
    let due = Number.POSITIVE_INFINITY;
    const kept = rows.map((row, index) => {
      const inPlace = before?.[index];
      if (inPlace?.row === row && at < inPlace.until) {
        due = Math.min(due, inPlace.until);
        return inPlace;
      }
      const key = this.keyOf(row);
      const old = inPlace?.key === key ? inPlace : this.find(key);
      const now = old?.row === row && at < old.until ? old : { key, row, ...this.make(row, old?.item) };
      wasSame &&= old !== undefined && old === inPlace;
      if (old !== undefined && old.look !== now.look) {
        changed.push(now.item);
      }
      due = Math.min(due, now.until);
      return now;
    });
    this.kept = kept;
    this.byKey = undefined;
    this.taken = rows;
    this.due = due;
    return { wasSame, changed };
  }

  /** Most changes leave every row in its place, and ask for none by its key. */
  private find(key: string): Kept<Row, Item> | undefined {
    this.byKey ??= new Map(this.kept?.map(one => [one.key, one]));
    return this.byKey.get(key);
  }
}
