import type * as vscode from 'vscode';
import type { Sheets, ShownSheet } from '../sheet/sheets';
import { chooseTarget } from './createBatchTarget';

/** Shows everything that is known of a file, the given one or the one the user means; with `create` a batch can be made from there. */
export async function showSheet(sheets: Sheets, given: vscode.Uri | undefined, mode: 'create' | 'estimate'): Promise<ShownSheet> {
  const target = await chooseTarget(given, mode);
  return await sheets.show(target, mode);
}
