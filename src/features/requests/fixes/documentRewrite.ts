import * as vscode from 'vscode';
import { tabsOf } from '../../../common/documents/tabs';
import type { DocumentChecker } from '../../../jsonl/checking/documentChecker';
import { QuickLineCheck } from '../../../jsonl/checking/quickLineCheck';
import type { FixKind } from '../../../jsonl/fixes/fixKinds';
import type { LineRewriter, RewriteSummary } from '../../../jsonl/fixes/lineRewriter';
import { type LineChecker, type RewrittenLine, rewriteLines } from '../../../jsonl/fixes/rewriteLines';
import { smallestEdit } from '../../../jsonl/fixes/textEdit';
import type { RuleOptions } from '../../../jsonl/rules/ruleOptions';
import { demandWritable } from '../documents/writable';

/** Planned changes of an open document. */
interface DocumentRewrite {
  /** Sorted and without overlaps. */
  readonly edits: readonly vscode.TextEdit[];
  /** True if the line ends (LF or CR LF) of the whole document change. */
  readonly endsLines: boolean;
  readonly summary: RewriteSummary;
  /** Version of the document that the edits apply to. */
  readonly version: number;
}

/**
 * Plans the changes of a document in short slices, so that the user can type meanwhile. `kinds` may include line ends. Throws an error for
 * the user if the document is read-only, or if the document is edited meanwhile.
 */
export async function planRewrite(
  document: vscode.TextDocument,
  rewriter: LineRewriter,
  lineChecker: LineChecker,
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
  const changes = await rewriteLines(document, rewriter, lineChecker, pause);
  demandVersion(document, version);
  const edits = changes.map(change => toTextEdit(document, change));
  const summary = rewriter.summary();
  const fixes = [...summary.fixes];
  const last = document.lineAt(document.lineCount - 1);
  if (kinds.includes('last-newline') && last.text !== '') {
    edits.push(vscode.TextEdit.insert(last.range.end, '\n'));
    fixes.push(['last-newline', 1]);
  }
  const endsLines = kinds.includes('carriage-returns') && document.eol === vscode.EndOfLine.CRLF;
  if (endsLines) {
    edits.push(vscode.TextEdit.setEndOfLine(vscode.EndOfLine.LF));
    fixes.push(['carriage-returns', document.lineCount - 1]);
  }
  return { edits, endsLines, version, summary: { ...summary, fixes } };
}

/** Returns a line checker that reuses the results of `checker` for the lines it has read. */
export function lineCheckerOf(checker: DocumentChecker | undefined, options: RuleOptions): LineChecker {
  const check = new QuickLineCheck(options);
  return { options, checkQuickly: (text, line) => checker?.lineInfo(line) ?? check.checkQuickly(text, line) };
}

/** Returns the edits as one workspace edit, for callers that apply it themselves. */
export function toWorkspaceEdit(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, [...edits]);
  return edit;
}

/**
 * Applies a rewrite as one undo step. Throws an error for the user if the document has changed meanwhile. VS Code merges a thousand or more
 * edits into one edit that spans all of them, which takes seconds per 10 MB. If an editor shows the document, the edits are therefore
 * applied in smaller parts.
 */
export async function applyRewrite(
  document: vscode.TextDocument,
  { edits, endsLines, version }: Omit<DocumentRewrite, 'summary'>,
): Promise<void> {
  demandVersion(document, version);
  if (edits.length > maxEdits && !endsLines && (await editInParts(document, edits))) {
    return;
  }
  if (edits.length > 0 && !(await vscode.workspace.applyEdit(toWorkspaceEdit(document, edits)))) {
    throw changedError();
  }
}

/** Largest number of edits that VS Code doesn't merge. */
const maxEdits = 999;

/** Applies edits through an editor that shows the document. Returns false and changes nothing if there is no such editor. */
async function editInParts(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): Promise<boolean> {
  const editor = await editorOf(document);
  if (editor === undefined) {
    return false;
  }
  // Starts at the end, so that earlier positions stay valid.
  for (let end = edits.length; end > 0; end -= maxEdits) {
    const start = Math.max(0, end - maxEdits);
    const { version } = document;
    const replaceAll = (builder: vscode.TextEditorEdit) => {
      for (const { range, newText } of edits.slice(start, end)) {
        builder.replace(range, newText);
      }
    };
    const stops = { undoStopBefore: end === edits.length, undoStopAfter: start === 0 };
    // Rejects if the editor was closed or hidden meanwhile.
    const isDone = await editor.edit(replaceAll, stops).then(undefined, () => false);
    if (!isDone) {
      throw end === edits.length ? changedError() : partlyError();
    }
    // Each part increases the version by one. Any other version means that something else has edited the document.
    if (start > 0 && document.version !== version + 1) {
      throw partlyError();
    }
  }
  return true;
}

/** Returns an editor that shows the document, revealing a hidden tab. */
async function editorOf(document: vscode.TextDocument): Promise<vscode.TextEditor | undefined> {
  const visible = vscode.window.visibleTextEditors.find(editor => editor.document === document);
  const tab = tabsOf(document.uri).find(({ input }) => input instanceof vscode.TabInputText);
  return visible ?? (tab && (await vscode.window.showTextDocument(document, { viewColumn: tab.group.viewColumn, preserveFocus: true })));
}

function demandVersion(document: vscode.TextDocument, version: number): void {
  if (document.version !== version || document.isClosed) {
    throw changedError();
  }
}

function changedError(): Error {
  return new Error(vscode.l10n.t('The file has changed in the meantime. Try again.'));
}

function partlyError(): Error {
  return new Error(vscode.l10n.t('Only part of the file was changed. Undo to go back.'));
}

/** Returns an edit that replaces only the changed part of a line, or deletes the line if nothing replaces it. */
function toTextEdit(document: vscode.TextDocument, { line, before, lines }: RewrittenLine): vscode.TextEdit {
  if (lines.length === 0) {
    return vscode.TextEdit.delete(document.lineAt(line).rangeIncludingLineBreak);
  }
  const { start, end, text } = smallestEdit(before, lines.join('\n'));
  return vscode.TextEdit.replace(new vscode.Range(line, start, line, end), text);
}
