/** What is in the window when a sheet is opened. */
export interface SheetSurroundings {
  /** Whether the file of the sheet is what the active column shows. */
  readonly isFileShown: boolean;
  /** Columns of editors that there are. */
  readonly groups: number;
  /** Column of another sheet. */
  readonly otherSheet: number | undefined;
}

/** Where a sheet opens: beside its file, else in the active column; with another sheet when there are columns enough for that. */
export function placeOfSheet({ isFileShown, groups, otherSheet }: SheetSurroundings): 'beside' | 'active' | number {
  if (otherSheet !== undefined && groups > 1) {
    return otherSheet;
  }
  return isFileShown ? 'beside' : 'active';
}
