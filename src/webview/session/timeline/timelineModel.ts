import { kindOf } from '../../../shared/session/rows/rowKinds';
import type { Row, RowKind } from '../../../shared/session/rows/rows';
import { ListWindow, MeasuredHeights } from '../../list/listWindow';
import type { AppliedSplice, TranscriptRows } from '../transcriptRows';

/** A row that stays at its position on the screen: its top is `offset` pixels below the top of the viewport. */
interface Anchor {
  readonly key: string;
  readonly offset: number;
}

/** Indexes of the rows that pass the filter among all rows, ascending, and their heights. */
interface ShownLines {
  readonly indexes: number[];
  readonly heights: MeasuredHeights;
}

/**
 * View model of a thread's rows: which rows pass the filter, their heights, and which rows are in view. Also determines which row stays in
 * place when something changes, and whether the list follows the end. Positions count the rows that pass the filter. Independent of the
 * DOM.
 */
export class TimelineModel {
  readonly #expected = new ExpectedHeights();
  #passes: ((row: Row) => boolean) | undefined;
  #lines: ShownLines | undefined;
  #anchor: Anchor | undefined;
  #isFollowing = true;
  #newRows = 0;

  constructor(private readonly rows: TranscriptRows) {}

  get #shown(): ShownLines {
    if (this.#lines === undefined) {
      this.#lines = { indexes: [], heights: new MeasuredHeights() };
      this.#show(0, this.#lines);
    }
    return this.#lines;
  }

  /** Appends the rows from index `from` on that pass the filter. */
  #show(from: number, { indexes, heights }: ShownLines): void {
    for (let index = from; index < this.rows.length; index++) {
      const row = this.rows.at(index);
      if (row !== undefined && this.#passes?.(row) !== false) {
        indexes.push(index);
        heights.push(this.#expected.of(row));
      }
    }
  }

  get heights(): MeasuredHeights {
    return this.#shown.heights;
  }

  get length(): number {
    return this.#shown.indexes.length;
  }

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Number of rows added at the end since the list last scrolled along with new rows. */
  get newRows(): number {
    return this.#newRows;
  }

  rowAt(position: number): Row | undefined {
    const index = this.#shown.indexes[position];
    return index === undefined ? undefined : this.rows.at(index);
  }

  keyAt(position: number): string | undefined {
    return this.rowAt(position)?.key;
  }

  indexOf(key: string): number {
    return this.rows.indexOf(key);
  }

  /** Returns the position of a row. -1 if the row is not shown. */
  positionOf(key: string): number {
    const index = this.rows.indexOf(key);
    const position = this.#positionFor(index);
    return index >= 0 && this.#shown.indexes[position] === index ? position : -1;
  }

  /** Sets the filter. `undefined` shows all rows. Keeps the row at the top of the view in place, or the next row that passes. */
  filter(passes: ((row: Row) => boolean) | undefined): void {
    if (passes === this.#passes) {
      return;
    }
    this.#passes = passes;
    this.#lines = undefined;
    if (this.#anchor !== undefined) {
      this.#moveAnchor(this.#anchor, this.indexOf(this.#anchor.key));
    }
  }

  /** Applies a splice of the rows. Must be called for every splice. */
  takeSplice({ at, removed, added }: AppliedSplice): void {
    for (const { key } of removed) {
      if (!added.some(row => row.key === key)) {
        this.#expected.forget(key);
      }
    }
    const isAtEnd = at + added.length === this.rows.length && removed.length === 0;
    if (this.#lines !== undefined) {
      // Most splices are at the end of a long list, so the lines before them stay.
      const position = this.#positionFor(at);
      this.#lines.indexes.length = position;
      this.#lines.heights.truncate(position);
      this.#show(at, this.#lines);
    }
    if (isAtEnd && !this.#isFollowing) {
      this.#newRows += added.filter(row => this.#passes?.(row) !== false).length;
    }
    const anchor = this.#anchor;
    if (anchor !== undefined && removed.some(({ key }) => key === anchor.key) && this.positionOf(anchor.key) < 0) {
      const index = this.indexOf(anchor.key);
      this.#moveAnchor(anchor, index < 0 ? at : index);
    }
  }

  /** Records a row's measured height. Returns whether anything changed. */
  measure(position: number, key: string, height: number): boolean {
    if (this.keyAt(position) !== key || Math.abs(this.heights.at(position) - height) < 0.01) {
      return false;
    }
    this.#expected.measured(key, this.rowAt(position)?.kind, height);
    this.heights.set(position, height);
    return true;
  }

  window(viewport: number): ListWindow {
    return new ListWindow(this.heights, viewport);
  }

  /** Returns the scroll position. If the list follows the end, the end stays in view. Otherwise, the anchor row stays in place. */
  scrollTopFor(viewport: number): number {
    const end = Math.max(0, this.heights.total - viewport);
    if (this.#isFollowing || this.#anchor === undefined) {
      return this.#isFollowing ? end : 0;
    }
    return Math.min(end, Math.max(0, this.heights.before(Math.max(0, this.positionOf(this.#anchor.key))) - this.#anchor.offset));
  }

  /** Handles scrolling by the user. Reaching the end starts following it. Scrolling up by one pixel stops following the end. */
  userScrolled(from: number, scrollTop: number, viewport: number): void {
    if (scrollTop > from && scrollTop >= this.heights.total - viewport - 2) {
      this.follow();
    } else {
      this.letGo(scrollTop);
    }
  }

  follow(): void {
    this.#isFollowing = true;
    this.#newRows = 0;
    this.#anchor = undefined;
  }

  /** Stops following the end and keeps the row at the top of the view in place. */
  letGo(scrollTop: number): void {
    this.#isFollowing = false;
    this.hold(this.heights.find(scrollTop), scrollTop);
  }

  /** Stops following the end and keeps the row at `position` in place. */
  hold(position: number, scrollTop: number): void {
    const key = this.keyAt(position);
    if (key !== undefined) {
      this.#isFollowing = false;
      this.#anchor = { key, offset: this.heights.before(position) - scrollTop };
    }
  }

  /** Stops following the end and scrolls a row into view: as little as possible, or to a third of the view if the row was out of sight. */
  reveal(position: number, scrollTop: number, viewport: number, anchor: 'nearest' | 'third' = 'nearest'): void {
    const key = this.keyAt(position);
    if (key === undefined) {
      return;
    }
    const window = this.window(viewport);
    const offset =
      anchor === 'third' && !window.shows(position, scrollTop)
        ? Math.max(0, Math.min(viewport / 3, viewport - this.heights.at(position)))
        : this.heights.before(position) - window.topToShow(position, scrollTop);
    this.#isFollowing = false;
    this.#anchor = { key, offset };
  }

  /** Position to save over a reload. */
  get savedAnchor(): Anchor | undefined {
    return this.#isFollowing ? undefined : this.#anchor;
  }

  /** Restores a saved position. Returns false while its row is missing. */
  restore({ key, offset }: Anchor): boolean {
    const held = this.keyAt(this.positionOf(key));
    if (held === undefined) {
      return false;
    }
    this.#isFollowing = false;
    this.#anchor = { key: held, offset };
    return true;
  }

  /** Makes the row at this index, or the next shown row, the row that stays in place. */
  #moveAnchor({ offset }: Anchor, index: number): void {
    const key = this.keyAt(Math.max(0, Math.min(this.#positionFor(index), this.length - 1)));
    this.#anchor = key === undefined ? undefined : { key, offset };
  }

  /** Returns the position of the row at `index` among all rows. If that row is not shown, returns the position of the next shown row. */
  #positionFor(index: number): number {
    const { indexes } = this.#shown;
    let low = 0;
    let high = indexes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((indexes[middle] ?? 0) < index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}

/** Estimated height of a row before any of its kind was rendered, in pixels. */
const firstGuess = 26;
const lineHeight = 18;
const lettersInLine = 100;
const maxLines = 40;

/** Heights of rows in pixels: measured, or estimated for rows that were never rendered. The heights survive a change of the filter. */
class ExpectedHeights {
  readonly #measured = new Map<string, number>();
  /** Lowest measured height of each kind, as an estimate for rows that were never rendered. */
  readonly #lowest = new Map<RowKind, number>();

  of(row: Row): number {
    return this.#measured.get(row.key) ?? (this.#lowest.get(row.kind) ?? firstGuess) + moreLines(row) * lineHeight;
  }

  measured(key: string, kind: RowKind | undefined, height: number): void {
    this.#measured.set(key, height);
    if (kind !== undefined && height < (this.#lowest.get(kind) ?? Number.POSITIVE_INFINITY)) {
      this.#lowest.set(kind, height);
    }
  }

  forget(key: string): void {
    this.#measured.delete(key);
  }
}

function moreLines(row: Row): number {
  if (row.kind !== 'user' && row.kind !== 'agent') {
    return 0;
  }
  const lines = row.parts.reduce((sum, part) => sum + (part.type === 'text' ? Math.ceil(part.text.length / lettersInLine) : 1), 0);
  return Math.max(0, Math.min(maxLines, lines) - 1);
}

/** Open rows of a thread, by key. */
export class OpenRows {
  readonly #isOpen = new Map<string, boolean>();

  isOpen(row: Row): boolean {
    return this.#isOpen.get(row.key) ?? kindOf(row).isOpenAtFirst === true;
  }

  setOpen(key: string, isOpen: boolean): void {
    this.#isOpen.set(key, isOpen);
  }
}
