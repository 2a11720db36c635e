/** Heights of the rows of a list, in pixels. */
export interface RowHeights {
  readonly length: number;
  readonly total: number;
  at(index: number): number;
  /** Returns the height of all rows before `index`. */
  before(index: number): number;
  /** Returns the row at this distance from the top: the last one that starts at or above it; 0 for an empty list. */
  find(offset: number): number;
}
