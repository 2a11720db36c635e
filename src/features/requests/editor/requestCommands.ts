import * as vscode from 'vscode';
import { activeUri } from '../../../common/asking/activeUri';
import { chooseFile } from '../../../common/asking/chooseFile';
import { askModal, showInformation } from '../../../common/asking/notifications';
import { CancelledError } from '../../../common/cancellation';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { openWhereShown, tabsOf } from '../../../common/documents/tabs';
import type { FoundLine } from '../../../jsonl/pretty/lineInFile';
import type { WantedLine } from '../../../jsonl/pretty/lineSearch';
import { OffsetMap } from '../../../jsonl/pretty/offsetMap';
import { looksLikeBatch } from '../../../jsonl/scanning/fileKind';
import { diskStampOf } from '../documents/fileOnDisk';
import { cursorOf, findLine } from '../documents/findRequest';
import { fileLabelOf, type RequestTarget, readFirstLines, requestScheme } from '../documents/requestFile';
import type { EditingDependencies } from '../fileWork';
import { askForLine } from '../language/goToRequest';
import type { EditedRequest } from './editedRequest';
import type { RequestEditors } from './requestEditors';

const { t } = vscode.l10n;

/** Opens a request as a document next to its file. Without a visible editor of the file, asks the user for a line number or an id. */
export async function editRequest(deps: EditingDependencies, editors: RequestEditors, target: RequestTarget): Promise<void> {
  const { file, line } = target;
  if ((file ?? activeUri())?.scheme === requestScheme) {
    return;
  }
  const source = await chooseFile(file, { question: t('Select a request file'), openLabel: t('Edit Request') });
  const document = openDocumentOf(source);
  const requests = document && deps.documents.get(document);
  if (requests === undefined && (document !== undefined || !looksLikeBatch(await readFirstLines(source.fsPath)))) {
    throw new Error(t('{0} has no requests.', fileLabelOf(source)));
  }
  const cursor = document && cursorOf(document);
  if (requests === undefined || (line === undefined && cursor === undefined)) {
    const state = await diskStampOf(source.fsPath);
    const find = (wanted: WantedLine) => editors.sources.find(source, wanted);
    const found = line === undefined ? await askForLine(source, t('Edit Request'), find) : await find({ line });
    if (found === undefined) {
      throw new Error(t('{0} has no line {1}.', fileLabelOf(source), (line ?? 0) + 1));
    }
    const edited = editors.open(source, demandText(found));
    // The line of a large file was just read, so there is no need to search again.
    edited.diskState ??= state;
    await show(editors, edited, 0);
    return;
  }
  const current = findLine(requests, target);
  const found = demandText({ line: current, text: requests.document.lineAt(current).text });
  await show(editors, editors.open(source, found), cursor?.line === current ? cursor.character : 0);
}

/** Replaces the edited request with the request of the next or previous line. */
export async function editNeighbor(editors: RequestEditors, step: 1 | -1): Promise<void> {
  const { editor, edited } = activeRequest(editors);
  await editors.locate(edited);
  const found = await neighborOf(editors, edited, step);
  if (found === undefined) {
    const name = fileLabelOf(edited.source);
    void showInformation(t('No more requests in {0}.', name));
    return;
  }
  const { document, viewColumn } = editor;
  if (document.isDirty) {
    await settleChanges(document);
  }
  const old = tabsOf(document.uri).filter(({ group }) => group.viewColumn === viewColumn);
  await show(editors, editors.open(edited.source, found), 0, viewColumn);
  const left = tabsOf(document.uri).filter(tab => old.some(({ group }) => group.viewColumn === tab.group.viewColumn));
  await vscode.window.tabGroups.close(left, true);
}

/** Goes from an edited request to its source line, at the same position in the request. */
export async function revealSource(editors: RequestEditors): Promise<void> {
  const { editor, edited } = activeRequest(editors);
  await editors.locate(edited);
  const { source } = edited;
  if (edited.isLost) {
    throw new Error(t('The line has changed. Try again.'));
  }
  const { line, text } = edited.line;
  const map = OffsetMap.between(editor.document.getText(), text);
  const column = map.map(editor.document.offsetAt(editor.selection.active));
  const selection = new vscode.Range(line, column, line, column);
  await openWhereShown(source, vscode.ViewColumn.One, selection);
}

/** Shows a document in its open editor, or in a new editor beside the active one. Sets the cursor to the text at `column` of the line. */
async function show(editors: RequestEditors, edited: EditedRequest, column: number, viewColumn?: vscode.ViewColumn): Promise<void> {
  await editors.locate(edited);
  const document = await vscode.workspace.openTextDocument(edited.uri);
  const offset = OffsetMap.between(edited.line.text, document.getText()).map(column);
  const position = document.positionAt(offset);
  const open = tabsOf(edited.uri)[0];
  await vscode.window.showTextDocument(document, {
    viewColumn: viewColumn ?? open?.group.viewColumn ?? vscode.ViewColumn.Beside,
    selection: new vscode.Range(position, position),
    preview: open?.isPreview ?? true,
  });
}

/** Throws an error for the user if the line is blank. */
function demandText(found: FoundLine): FoundLine {
  if (found.text.trim() === '') {
    throw new Error(t('Place the cursor in a request first.'));
  }
  return found;
}

function activeRequest(editors: RequestEditors): { readonly editor: vscode.TextEditor; readonly edited: EditedRequest } {
  const editor = vscode.window.activeTextEditor;
  const edited = editor && editors.get(editor.document.uri);
  if (editor === undefined || edited === undefined) {
    throw new Error(t('Place the cursor in a request first.'));
  }
  return { editor, edited };
}

/** Returns the nearest line with text before or after the edited line. For a lost line, searches from its last known position. */
async function neighborOf(editors: RequestEditors, edited: EditedRequest, step: 1 | -1): Promise<FoundLine | undefined> {
  const { source } = edited;
  // The next neighbor of a lost line is the line that is now at its position.
  let line = edited.isLost && step > 0 ? edited.line.line : edited.line.line + step;
  while (line >= 0) {
    const found = await editors.sources.find(source, { line });
    if (found === undefined || found.text.trim() !== '') {
      return found;
    }
    line += step;
  }
  return undefined;
}

async function settleChanges(document: vscode.TextDocument): Promise<void> {
  const save = t('Save');
  const drop = t("Don't Save");
  const message = t('Save the changes to this request?');
  const choice = await askModal(message, {}, save, drop);
  if (choice === drop) {
    await vscode.commands.executeCommand('workbench.action.files.revert');
  } else if (choice !== save || !(await document.save())) {
    throw new CancelledError();
  }
}
