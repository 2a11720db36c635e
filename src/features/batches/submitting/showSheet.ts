import type * as vscode from 'vscode';
import type { Sheets } from '../sheet/sheets';
import { chooseTarget } from './createBatchTarget';

/** Shows everything that is known of a file, the given one or the one the user means; with `create` a batch can be made from there. */
export async function showSheet(sheets: Sheets, given: vscode.Uri | undefined, mode: 'create' | 'estimate'): Promise<void> {
  const target = await chooseTarget(given, mode);
  await sheets.show(target, mode);
}
