import * as vscode from 'vscode';
import { demandWritable } from '../../../common/asking/writable';
import type { DocumentChecker } from '../../../jsonl/checking/documentChecker';
import { QuickLineCheck } from '../../../jsonl/checking/quickLineCheck';
import type { FixKind } from '../../../jsonl/fixes/fixKinds';
import type { LineRewriter, RewriteSummary } from '../../../jsonl/fixes/lineRewriter';
import { type LineLook, type RewrittenLine, rewriteLines } from '../../../jsonl/fixes/rewriteLines';
import { smallestEdit } from '../../../jsonl/fixes/textEdit';
import type { RuleOptions } from '../../../jsonl/rules/ruleOptions';

/** How an open document would change. */
export interface DocumentRewrite {
  /** In the order of the document, apart from each other. */
  readonly edits: readonly vscode.TextEdit[];
  /** The line ends of the whole document become others. */
  readonly endsLines: boolean;
  readonly summary: RewriteSummary;
  /** The version that the edit is for. */
  readonly version: number;
}

/**
 * Works out how a document changes, in short slices so that typing does not wait. `kinds` may ask for line ends beside lines.
 * Throws a sentence for the user when the document is read-only or is edited meanwhile.
 */
export async function planRewrite(
  document: vscode.TextDocument,
  rewriter: LineRewriter,
  look: LineLook,
  kinds: readonly FixKind[],
  signal: AbortSignal,
): Promise<DocumentRewrite> {
  await demandWritable(document);
  const { version } = document;
  const pause = async () => {
    await new Promise(setImmediate);
    signal.throwIfAborted();
    demandVersion(document, version);
  };
  const changes = await rewriteLines(document, rewriter, look, pause);
  demandVersion(document, version);
  const edits = changes.map(change => toTextEdit(document, change));
  const summary = rewriter.summary();
  const endings = lineEndEdits(document, kinds);
  edits.push(...endings.map(([, ending]) => ending));
  const endsLines = endings.some(([kind]) => kind === 'carriage-returns');
  return {
    edits,
    endsLines,
    version,
    summary: { ...summary, fixes: [...summary.fixes, ...endings.map(([kind, , lines]) => [kind, lines] as const)] },
  };
}

/** What is known about the lines of a document: what its checker, if it has read them all, has found already. */
export function lookOf(checker: DocumentChecker | undefined, options: RuleOptions): LineLook {
  const check = new QuickLineCheck(options);
  return { options, look: (text, line) => checker?.lineInfo(line) ?? check.look(text, line) };
}

/** A rewrite as one edit, for those who apply it themselves. */
export function toWorkspaceEdit(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, [...edits]);
  return edit;
}

/**
 * Applies a rewrite as one step to undo, unless the document is another by now: then a sentence for the user is thrown. Of an edit in
 * a thousand places VS Code makes one of everything between the first and the last, which takes it seconds for each 10 MB; an editor
 * that shows the document is therefore given fewer at a time.
 */
export async function applyRewrite(
  document: vscode.TextDocument,
  { edits, endsLines, version }: Omit<DocumentRewrite, 'summary'>,
): Promise<void> {
  demandVersion(document, version);
  if (edits.length > mostEdits && !endsLines && (await editInParts(document, edits))) {
    return;
  }
  if (edits.length > 0 && !(await vscode.workspace.applyEdit(toWorkspaceEdit(document, edits)))) {
    throw changedError();
  }
}

/** VS Code joins edits from this number on. */
const mostEdits = 999;

/** Answers false, and has changed nothing, when there is no editor for the document. */
async function editInParts(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): Promise<boolean> {
  const editor = await editorOf(document);
  if (editor === undefined) {
    return false;
  }
  // From the end, so that what is still to be done keeps its place.
  for (let end = edits.length; end > 0; end -= mostEdits) {
    const start = Math.max(0, end - mostEdits);
    const { version } = document;
    const replaceAll = (builder: vscode.TextEditorEdit) => {
      for (const { range, newText } of edits.slice(start, end)) {
        builder.replace(range, newText);
      }
    };
    const stops = { undoStopBefore: end === edits.length, undoStopAfter: start === 0 };
    // It rejects when the editor was closed or hidden meanwhile.
    const isDone = await editor.edit(replaceAll, stops).then(undefined, () => false);
    if (!isDone) {
      throw end === edits.length ? changedError() : partlyError();
    }
    // Each part is one change: another number says that somebody else has edited the document as well.
    if (start > 0 && document.version !== version + 1) {
      throw partlyError();
    }
  }
  return true;
}

/** An editor that shows the document; its tab is brought to the front when it stands behind another. */
async function editorOf(document: vscode.TextDocument): Promise<vscode.TextEditor | undefined> {
  const visible = vscode.window.visibleTextEditors.find(editor => editor.document === document);
  const tab = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === document.uri.toString());
  return visible ?? (tab && (await vscode.window.showTextDocument(document, { viewColumn: tab.group.viewColumn, preserveFocus: true })));
}

function demandVersion(document: vscode.TextDocument, version: number): void {
  if (document.version !== version || document.isClosed) {
    throw changedError();
  }
}

function changedError(): Error {
  return new Error(vscode.l10n.t('The file was edited meanwhile, so nothing was changed. Try again.'));
}

function partlyError(): Error {
  return new Error(vscode.l10n.t('The file was edited while it was changed, so only a part of it was. Undo takes that back.'));
}

/** Only what differs is replaced. */
function toTextEdit(document: vscode.TextDocument, { line, before, lines }: RewrittenLine): vscode.TextEdit {
  if (lines.length === 0) {
    return vscode.TextEdit.delete(document.lineAt(line).rangeIncludingLineBreak);
  }
  const { start, end, text } = smallestEdit(before, lines.join('\n'));
  return vscode.TextEdit.replace(new vscode.Range(line, start, line, end), text);
}

/** What is asked about line ends: kind, edit, and the number of lines it is about. */
function lineEndEdits(
  document: vscode.TextDocument,
  kinds: readonly FixKind[],
): readonly (readonly [kind: FixKind, edit: vscode.TextEdit, lines: number])[] {
  const result: (readonly [FixKind, vscode.TextEdit, number])[] = [];
  const last = document.lineAt(document.lineCount - 1);
  if (kinds.includes('last-newline') && last.text !== '') {
    result.push(['last-newline', vscode.TextEdit.insert(last.range.end, '\n'), 1]);
  }
  if (kinds.includes('carriage-returns') && document.eol === vscode.EndOfLine.CRLF) {
    result.push(['carriage-returns', vscode.TextEdit.setEndOfLine(vscode.EndOfLine.LF), document.lineCount - 1]);
  }
  return result;
}
