import type { Row } from '../../../shared/session/rows/rows';
import { ListWindow } from '../../list/listWindow';
import { MeasuredHeights } from '../../list/measuredHeights';
import type { AppliedSplice, TranscriptRows } from '../transcriptRows';
import { ExpectedHeights } from './expectedHeights';
import { type LineChange, TimelineLines } from './timelineLines';

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
  readonly #lines: TimelineLines;
  #anchor: Anchor | undefined;
  #isFollowing = true;
  #newRows = 0;

  constructor(rows: TranscriptRows) {
    this.#rows = rows;
    this.#lines = new TimelineLines(rows);
    this.#fill();
  }

  get length(): number {
    return this.#lines.length;
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
    return this.#lines.rowAt(position);
  }

  keyAt(position: number): string | undefined {
    return this.rowAt(position)?.key;
  }

  /** Index of a row among all rows; -1 if there is none. */
  indexOf(key: string): number {
    return this.#lines.indexOf(key);
  }

  /** Position of a line; -1 when it is not shown. */
  positionOf(key: string): number {
    return this.#lines.positionOf(key);
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

  /** Shows only rows that pass; `undefined` shows all. The row at the top of the view stays there, or the one that follows it. */
  filter(passes: ((row: Row) => boolean) | undefined): void {
    if (passes === this.#passes) {
      return;
    }
    this.#passes = passes;
    this.#fill();
    if (this.#anchor !== undefined) {
      this.#moveAnchor(this.#anchor, this.#lines.indexOf(this.#anchor.key));
    }
  }

  /** Takes over what was done to the rows; to be called for every splice. */
  takeSplice(splice: AppliedSplice): void {
    const { at, removed, added } = splice;
    for (const { key } of removed) {
      if (!added.some(row => row.key === key)) {
        this.#expected.forget(key);
      }
    }
    const isAtEnd = at + added.length === this.#rows.length && removed.length === 0;
    this.#takeLines(this.#lines.takeSplice(splice));
    if (isAtEnd && !this.#isFollowing) {
      this.#newRows += added.filter(row => this.#passes?.(row) !== false).length;
    }
    if (this.#anchor !== undefined && this.positionOf(this.#anchor.key) < 0) {
      const index = this.#lines.indexOf(this.#anchor.key);
      this.#moveAnchor(this.#anchor, index < 0 ? at : index);
    }
  }

  /** The row's height as it was drawn. True when that changes anything. */
  measure(position: number, key: string, height: number): boolean {
    if (this.keyAt(position) !== key || Math.abs(this.#heights.at(position) - height) < 0.01) {
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
    const key = this.keyAt(position);
    if (key !== undefined) {
      this.#isFollowing = false;
      this.#anchor = { key, offset: this.topOf(position) - scrollTop };
    }
  }

  /** Brings a row into view with the least movement, or to a third of the view when it was not in sight; the end is let go. */
  reveal(position: number, scrollTop: number, viewport: number, place: 'nearest' | 'third' = 'nearest'): void {
    const key = this.keyAt(position);
    if (key === undefined) {
      return;
    }
    const window = this.window(viewport);
    const offset =
      place === 'third' && !window.shows(position, scrollTop)
        ? Math.max(0, Math.min(viewport / 3, viewport - this.heightOf(position)))
        : this.topOf(position) - window.topToShow(position, scrollTop);
    this.#isFollowing = false;
    this.#anchor = { key, offset };
  }

  /** What to remember over a reload. */
  get place(): Anchor | undefined {
    return this.#isFollowing ? undefined : this.#anchor;
  }

  /** Goes back to a remembered place; false while its row is not there. */
  restore({ key, offset }: Anchor): boolean {
    const held = this.keyAt(this.positionOf(key));
    if (held === undefined) {
      return false;
    }
    this.#isFollowing = false;
    this.#anchor = { key: held, offset };
    return true;
  }

  /** Keeps the row at this index in place from now on, or the next one that is shown. */
  #moveAnchor({ offset }: Anchor, index: number): void {
    const key = this.keyAt(Math.max(0, Math.min(this.#lines.positionFor(index), this.length - 1)));
    this.#anchor = key === undefined ? undefined : { key, offset };
  }

  #takeLines({ from, removed, added }: LineChange): void {
    if (removed !== added) {
      this.#heights.splice(from, removed, this.#heightsOf(from, added));
      return;
    }
    for (let position = from; position < from + added; position++) {
      this.#heights.set(position, this.#heightAt(position));
    }
  }

  #heightsOf(from: number, count: number): number[] {
    return Array.from({ length: count }, (_, offset) => this.#heightAt(from + offset));
  }

  #heightAt(position: number): number {
    const row = this.rowAt(position);
    return row === undefined ? 0 : this.#expected.of(row);
  }

  #fill(): void {
    this.#lines.filter(this.#passes);
    this.#heights.splice(0, this.#heights.length, this.#heightsOf(0, this.length));
  }
}
