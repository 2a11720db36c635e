/** What the menu of a row does: with its pair, or with all rows that are selected. */
export const rowActs = ['documents', 'editRequest', 'goToLine', 'copyAnswer', 'copyIds', 'copyLink', 'copyRows', 'toFile'] as const;
export type RowAct = (typeof rowActs)[number];
