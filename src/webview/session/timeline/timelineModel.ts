import type { Row } from '../../../shared/session/rows/rows';
import { ListWindow } from '../../list/listWindow';
import { MeasuredHeights } from '../../list/measuredHeights';
import type { AppliedSplice, TranscriptRows } from '../transcriptRows';
import { ExpectedHeights } from './expectedHeights';

/** A row that keeps its place on the screen: its top is `offset` pixels below the top of the viewport. */
export interface Anchor {
  readonly key: string;
  readonly offset: number;
}

/**
 * What a list of rows shows of a thread and where: which rows pass the filter, how high each is, what is in view, what stays in place when
 * something changes, and whether the end is followed. Positions count the rows that pass the filter. Knows no page.
 */
export class TimelineModel {
  readonly #rows: TranscriptRows;
  readonly #heights = new MeasuredHeights();
  readonly #expected = new ExpectedHeights();
  #passes: ((row: Row) => boolean) | undefined;
  /** Indexes of the rows that pass the filter, ascending; undefined when all do. */
  #shown: number[] | undefined;
  #anchor: Anchor | undefined;
  #isFollowing = true;
  #newRows = 0;

  constructor(rows: TranscriptRows) {
    this.#rows = rows;
    this.#fill();
  }

  get length(): number {
    return this.#shown === undefined ? this.#rows.length : this.#shown.length;
  }

  get totalHeight(): number {
    return this.#heights.total;
  }

  /** Whether the end is kept in view. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Rows that came at the end since it is not followed any more. */
  get newRows(): number {
    return this.#newRows;
  }

  rowAt(position: number): Row | undefined {
    const index = this.#shown === undefined ? position : this.#shown[position];
    return index === undefined ? undefined : this.#rows.at(index);
  }

  /** Position of a row; -1 when it is not shown. */
  positionOf(key: string): number {
    const index = this.#rows.indexOf(key);
    if (index < 0 || this.#shown === undefined) {
      return index;
    }
    const position = lowerBound(this.#shown, index);
    return this.#shown[position] === index ? position : -1;
  }

  /** Position of the row at this distance from the top of the list. */
  positionAt(offset: number): number {
    return this.#heights.find(offset);
  }

  topOf(position: number): number {
    return this.#heights.before(position);
  }

  heightOf(position: number): number {
    return this.#heights.at(position);
  }

  /** Shows only rows that pass; undefined shows all. What was at the top of the view stays there, or what follows it. */
  filter(passes: ((row: Row) => boolean) | undefined): void {
    if (passes === this.#passes) {
      return;
    }
    this.#passes = passes;
    this.#fill();
    if (this.#anchor !== undefined) {
      this.#moveAnchor(this.#anchor, this.#rows.indexOf(this.#anchor.key));
    }
  }

  /** Takes over what was done to the rows; to be called for every splice. */
  takeSplice({ at, removed, added }: AppliedSplice): void {
    for (const { key } of removed) {
      if (!added.some(row => row.key === key)) {
        this.#expected.forget(key);
      }
    }
    const isAtEnd = at + added.length === this.#rows.length && removed.length === 0;
    if (this.#shown === undefined) {
      if (removed.length === added.length) {
        added.forEach((row, offset) => {
          this.#heights.set(at + offset, this.#expected.of(row));
        });
      } else if (isAtEnd) {
        this.#append(added);
      } else {
        this.#heights.splice(
          at,
          removed.length,
          added.map(row => this.#expected.of(row)),
        );
      }
    } else if (isAtEnd) {
      added.forEach((row, offset) => {
        if (this.#passes?.(row) !== false) {
          this.#shown?.push(at + offset);
          this.#append([row]);
        }
      });
    } else if (removed.length === added.length && added.every((row, offset) => this.#passes?.(row) === this.#wasShown(at + offset))) {
      added.forEach((row, offset) => {
        const position = this.#shown === undefined ? -1 : lowerBound(this.#shown, at + offset);
        if (this.#shown?.[position] === at + offset) {
          this.#heights.set(position, this.#expected.of(row));
        }
      });
    } else {
      this.#fill();
    }
    if (isAtEnd && !this.#isFollowing) {
      this.#newRows += added.filter(row => this.#passes?.(row) !== false).length;
    }
    if (this.#anchor !== undefined && removed.length > 0 && this.positionOf(this.#anchor.key) < 0) {
      this.#moveAnchor(this.#anchor, at);
    }
  }

  /** The row's height as it was drawn. True when that changes anything. */
  measure(position: number, key: string, height: number): boolean {
    if (Math.abs(this.#heights.at(position) - height) < 0.01) {
      return false;
    }
    this.#expected.measured(key, this.rowAt(position)?.kind, height);
    this.#heights.set(position, height);
    return true;
  }

  /** What is seen of the list in this height. */
  window(viewport: number): ListWindow {
    return new ListWindow(this.#heights, viewport);
  }

  /** Where the list has to be scrolled to, so that the end is in view if it is followed, or else nothing moves. */
  scrollTopFor(viewport: number): number {
    const end = Math.max(0, this.totalHeight - viewport);
    if (this.#isFollowing || this.#anchor === undefined) {
      return this.#isFollowing ? end : 0;
    }
    return Math.min(end, Math.max(0, this.topOf(Math.max(0, this.positionOf(this.#anchor.key))) - this.#anchor.offset));
  }

  /** The user scrolled from one place to another. Whoever comes down to the end follows it again; the first pixel up lets it go. */
  userScrolled(from: number, scrollTop: number, viewport: number): void {
    if (scrollTop > from && scrollTop >= this.totalHeight - viewport - 2) {
      this.follow();
    } else {
      this.letGo(scrollTop);
    }
  }

  /** Follows the end from now on. */
  follow(): void {
    this.#isFollowing = true;
    this.#newRows = 0;
    this.#anchor = undefined;
  }

  /** Keeps in place what is at the top of the view now, instead of following the end. */
  letGo(scrollTop: number): void {
    this.#isFollowing = false;
    this.hold(this.#heights.find(scrollTop), scrollTop);
  }

  /** Keeps a row where it is on the screen, instead of following the end. */
  hold(position: number, scrollTop: number): void {
    const row = this.rowAt(position);
    if (row !== undefined) {
      this.#isFollowing = false;
      this.#anchor = { key: row.key, offset: this.topOf(position) - scrollTop };
    }
  }

  /** Brings a row into view with the least movement, or to a third of the view when it was not in sight; the end is let go. */
  reveal(position: number, scrollTop: number, viewport: number, place: 'nearest' | 'third' = 'nearest'): void {
    const row = this.rowAt(position);
    if (row === undefined) {
      return;
    }
    const window = this.window(viewport);
    const offset =
      place === 'third' && !window.shows(position, scrollTop)
        ? Math.max(0, Math.min(viewport / 3, viewport - this.heightOf(position)))
        : this.topOf(position) - window.topToShow(position, scrollTop);
    this.#isFollowing = false;
    this.#anchor = { key: row.key, offset };
  }

  /** What to remember over a reload. */
  get place(): Anchor | undefined {
    return this.#isFollowing ? undefined : this.#anchor;
  }

  /** Goes back to a remembered place; false while its row is not there. */
  restore({ key, offset }: Anchor): boolean {
    if (this.positionOf(key) < 0) {
      return false;
    }
    this.#isFollowing = false;
    this.#anchor = { key, offset };
    return true;
  }

  /** What stays in place from now on is the first shown row from this index on. */
  #moveAnchor({ offset }: Anchor, index: number): void {
    const position = this.#shown === undefined ? index : lowerBound(this.#shown, index);
    const row = this.rowAt(Math.max(0, Math.min(position, this.length - 1)));
    this.#anchor = row === undefined ? undefined : { key: row.key, offset };
  }

  #wasShown(index: number): boolean {
    return this.#shown === undefined || this.#shown[lowerBound(this.#shown, index)] === index;
  }

  #append(rows: readonly Row[]): void {
    for (const row of rows) {
      this.#heights.push(this.#expected.of(row));
    }
  }

  #fill(): void {
    const passes = this.#passes;
    const shown: number[] = [];
    const heights: number[] = [];
    this.#rows.all.forEach((row, index) => {
      if (passes === undefined || passes(row)) {
        shown.push(index);
        heights.push(this.#expected.of(row));
      }
    });
    this.#shown = passes === undefined ? undefined : shown;
    this.#heights.splice(0, this.#heights.length, heights);
  }
}

/** First place in an ascending list whose number is not below `value`. */
function lowerBound(numbers: readonly number[], value: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
