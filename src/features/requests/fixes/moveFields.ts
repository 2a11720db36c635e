import path from 'node:path';
import * as vscode from 'vscode';
import { fieldsNameOf } from '../../../jsonl/fields/fieldsName';
import { splitFields } from '../../../jsonl/fields/splitFields';

/** Returns the file beside a request file that has its extra fields. */
export function fieldsUriOf(requests: vscode.Uri): vscode.Uri {
  const { dir, base } = path.posix.parse(requests.path);
  return requests.with({ path: path.posix.join(dir, fieldsNameOf(base)) });
}

/** The edit that moves extra fields of all requests of a document to the file beside it. Fields that were moved before stay there. */
export async function toMoveEdit(document: vscode.TextDocument): Promise<vscode.WorkspaceEdit> {
  const edit = new vscode.WorkspaceEdit();
  const moved: string[] = [];
  for (let at = 0; at < document.lineCount; at++) {
    const line = document.lineAt(at);
    const split = splitFields(line.text);
    if (split !== undefined) {
      edit.replace(document.uri, line.range, split.request);
      moved.push(`${split.fields}\n`);
    }
  }
  const fields = fieldsUriOf(document.uri);
  const isThere = await vscode.workspace.fs.stat(fields).then(
    () => true,
    () => false,
  );
  if (isThere) {
    const known = await vscode.workspace.openTextDocument(fields);
    const last = known.lineAt(known.lineCount - 1);
    edit.insert(fields, last.range.end, (last.text === '' ? '' : '\n') + moved.join(''));
  } else {
    edit.createFile(fields);
    edit.insert(fields, new vscode.Position(0, 0), moved.join(''));
  }
  return edit;
}
