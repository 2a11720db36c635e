import * as vscode from 'vscode';
import { askId } from '../../../common/asking/askSteps';
import { chooseFile } from '../../../common/asking/chooseFile';
import { CancelledError } from '../../../common/cancellation';
import { combine } from '../../../common/disposables';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { outlineOf } from '../../../jsonl/guide/requestOutline';
import type { FoundLine } from '../../../jsonl/pretty/lineInFile';
import type { WantedLine } from '../../../jsonl/pretty/lineSearch';
import { toLabel } from '../../../shared/text';
import type { OpenRequestFile } from '../documents/requestDocuments';
import { fileLabelOf } from '../documents/requestFile';
import { type EditingDependencies, runJob } from '../fileWork';

interface FoundRequest {
  readonly line: number;
  readonly id: string;
}

/** Maximum number of items in the picker. Typing filters them. */
const maxItems = 100;

type RequestItem = vscode.QuickPickItem & { readonly line: number };

/**
 * Goes to a request that the user picks by id or line, with a preview of each. Cancelling restores the editor. A fragment in `given`
 * (`#custom_id`) is the id to go to. For a file too big for extensions, asks for a line or a whole id and searches the file on disk.
 */
export async function goToRequest(deps: Pick<EditingDependencies, 'documents' | 'jobs'>, given: vscode.Uri | undefined): Promise<void> {
  const id = given?.fragment ?? '';
  const uri = await chooseFile(given?.with({ fragment: '' }), {
    question: vscode.l10n.t('Select a request file'),
    openLabel: vscode.l10n.t('Open'),
  });
  const file = await openRequests(deps, uri);
  if (file === undefined) {
    return await goOnDisk(deps, uri, id);
  }
  const editor = await vscode.window.showTextDocument(file.document, { preview: false });
  if (id === '') {
    const line = await pickLine(file, editor);
    showLine(editor, line);
    return;
  }
  await file.whenSwept();
  const line = file.checker?.lineOfId(id);
  if (line === undefined) {
    throw noSuchId();
  }
  showLine(editor, line);
}

/** Returns the open request file. `undefined` if the file is too big for extensions. */
async function openRequests({ documents }: Pick<EditingDependencies, 'documents'>, uri: vscode.Uri): Promise<OpenRequestFile | undefined> {
  const open = documents.get(uri);
  if (open !== undefined) {
    return open;
  }
  let document: vscode.TextDocument;
  try {
    document = await vscode.workspace.openTextDocument(uri);
  } catch (error) {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > largestDocument) {
      return undefined;
    }
    throw error;
  }
  const file = documents.get(document);
  if (file === undefined) {
    throw new Error(vscode.l10n.t('{0} has no requests.', fileLabelOf(uri)));
  }
  return file;
}

// VS Code doesn't provide larger documents to extensions.
const largestDocument = 50 * 1024 * 1024;

async function goOnDisk({ jobs }: Pick<EditingDependencies, 'jobs'>, uri: vscode.Uri, id: string): Promise<void> {
  const title = vscode.l10n.t('Searching {0}', fileLabelOf(uri));
  const find = (wanted: WantedLine) => runJob({ jobs }, title, 'findLine', { path: uri.fsPath, wanted });
  const found = id === '' ? await askForLine(uri, vscode.l10n.t('Go to Request by ID'), find) : await find({ line: -1, customId: id });
  if (found === undefined) {
    throw noSuchId();
  }
  const selection = new vscode.Range(found.line, 0, found.line, 0);
  // Only the editor itself can move the cursor in such a file.
  await vscode.commands.executeCommand('vscode.open', uri, { selection, preview: false });
}

/** Asks for a line number or an exact id, and finds the request with `find`. Throws an error for the user if there is no such request. */
export async function askForLine(
  file: vscode.Uri,
  title: string,
  find: (wanted: WantedLine) => Promise<FoundLine | undefined>,
): Promise<FoundLine> {
  const { t } = vscode.l10n;
  const asked = await askId({ title, prompt: t('Line number or custom_id of the request in {0}', fileLabelOf(file)) });
  const number = /^[1-9]\d{0,8}$/.test(asked) ? Number(asked) : undefined;
  const found = (number === undefined ? undefined : await find({ line: number - 1 })) ?? (await find({ line: -1, customId: asked }));
  if (found === undefined) {
    throw number === undefined ? noSuchId() : new Error(t('{0} has no line {1}.', fileLabelOf(file), number));
  }
  return found;
}

function noSuchId(): Error {
  return new Error(vscode.l10n.t('No request has this ID, or several have it.'));
}

async function pickLine(file: OpenRequestFile, editor: vscode.TextEditor): Promise<number> {
  const { document } = file;
  const pick = vscode.window.createQuickPick<RequestItem>();
  const highlight = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    isWholeLine: true,
  });
  const top = editor.visibleRanges[0];
  let ids = idsOf(file);
  const list = () => {
    pick.items = searchRequests(ids, pick.value, maxItems).map(found => toItem(document, found));
  };
  pick.title = vscode.l10n.t('Go to Request by ID');
  pick.placeholder = vscode.l10n.t('Part of an ID, or :line');
  pick.busy = file.isBusy;
  const listening = combine(
    pick.onDidChangeValue(list),
    file.onDidChange(() => {
      ids = idsOf(file);
      pick.busy = file.isBusy;
      list();
    }),
    pick.onDidChangeActive(([item]) => {
      if (item !== undefined && item.line < document.lineCount) {
        const { range } = document.lineAt(item.line);
        editor.revealRange(new vscode.Range(range.start, range.start), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
        editor.setDecorations(highlight, [range]);
      }
    }),
  );
  try {
    return await new Promise<number>((resolve, reject) => {
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item !== undefined) {
          resolve(item.line);
        }
      });
      pick.onDidHide(() => reject(new CancelledError()));
      list();
      pick.show();
    });
  } catch (error) {
    if (top !== undefined) {
      editor.revealRange(top, vscode.TextEditorRevealType.AtTop);
    }
    throw error;
  } finally {
    listening.dispose();
    highlight.dispose();
    pick.dispose();
  }
}

/** Returns the ids of all lines. Empty while the file is first read. */
function idsOf({ document, checker }: OpenRequestFile): readonly (string | undefined)[] {
  return checker === undefined ? [] : Array.from({ length: document.lineCount }, (_, line) => checker.idOfLine(line));
}

function toItem(document: vscode.TextDocument, { line, id }: FoundRequest): RequestItem {
  const outline = line < document.lineCount ? outlineOf(document.lineAt(line).text, false) : undefined;
  const words = [outline?.model ?? '', outline?.words ?? ''].filter(part => part !== '').join(' · ');
  return {
    label: withoutIcons(toLabel(id, 80)),
    description: vscode.l10n.t('line {0}', line + 1),
    detail: withoutIcons(toLabel(words, 120)),
    // The items are already filtered.
    alwaysShow: true,
    line,
  };
}

/** Selects the start of the request on a line, and reveals it. */
export function showLine(editor: vscode.TextEditor, line: number): void {
  const { text } = editor.document.lineAt(Math.min(line, editor.document.lineCount - 1));
  const column = outlineOf(text, false)?.start ?? 0;
  const at = new vscode.Position(line, column);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/**
 * Finds requests by a part of their id, ignoring case. Lists an equal id first, then ids that start with the text, then other ids that
 * contain it, each in file order. `:12` is a 1-based line number. Ignores `#` before an id. Returns at most `limit` requests.
 */
export function searchRequests(ids: readonly (string | undefined)[], typed: string, limit: number): readonly FoundRequest[] {
  const asked = typed.trim();
  const lineNumber = /^:(\d*)$/.exec(asked)?.[1];
  if (lineNumber !== undefined) {
    const line = Number(lineNumber) - 1;
    const id = ids[line];
    return line < 0 || id === undefined ? [] : [{ line, id }];
  }
  const typedText = asked.replace(/^#/, '').toLowerCase();
  const exact: FoundRequest[] = [];
  const starting: FoundRequest[] = [];
  const containing: FoundRequest[] = [];
  for (const [line, id] of ids.entries()) {
    // Once enough IDs start with the text, only an equal ID can still be listed.
    if (id === undefined || (starting.length >= limit && id.length !== typedText.length)) {
      continue;
    }
    const index = id.toLowerCase().indexOf(typedText);
    const rank = index > 0 ? containing : id.length > typedText.length ? starting : exact;
    if (index >= 0 && rank.length < limit) {
      rank.push({ line, id });
    }
  }
  return [...exact, ...starting, ...containing].slice(0, limit);
}
