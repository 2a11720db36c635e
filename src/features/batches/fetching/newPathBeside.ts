import path from 'node:path';
import type * as vscode from 'vscode';
import { askWhere, freeNameBeside } from '../../../common/asking/newFile';
import { fileNameOf, type SiblingKind, siblingName } from './siblingNames';

/**
 * Returns the path of a new file `<name>.<kind>.jsonl` beside a file, numbered if that exists. Asks the user if the folder is read-only.
 */
export async function newPathBeside(file: vscode.Uri, kind: SiblingKind, title: string): Promise<string> {
  const name = siblingName(fileNameOf(file.toString()), kind);
  const { name: stem, ext } = path.parse(name);
  return (await freeNameBeside(file, stem, ext)) ?? (await askWhere(name, title));
}
