import * as vscode from 'vscode';
import { demandWritable } from '../../../common/writable';
import type { FixKind } from '../../../jsonl/fixes/fixKinds';
import type { LineRewriter, RewriteSummary } from '../../../jsonl/fixes/lineRewriter';
import { type RewrittenLine, rewriteLines } from '../../../jsonl/fixes/rewriteLines';
import { smallestEdit } from '../../../jsonl/fixes/textEdit';
import { QuickLineCheck } from '../../../jsonl/quickLineCheck';
import type { RuleOptions } from '../../../jsonl/rules/ruleOptions';

/** How an open document would change: one edit, one undo step. */
export interface DocumentRewrite {
  readonly edit: vscode.WorkspaceEdit;
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
  rules: RuleOptions,
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
  const changes = await rewriteLines(document, rewriter, new QuickLineCheck(rules), pause);
  demandVersion(document, version);
  const edits = changes.map(change => toTextEdit(document, change));
  const summary = rewriter.summary();
  const endings = lineEndEdits(document, kinds);
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, [...edits, ...endings.map(([, ending]) => ending)]);
  return { edit, version, summary: { ...summary, fixes: [...summary.fixes, ...endings.map(([kind, , lines]) => [kind, lines] as const)] } };
}

/** Applies a rewrite, unless the document is another by now: then a sentence for the user is thrown. */
export async function applyRewrite(document: vscode.TextDocument, rewrite: DocumentRewrite): Promise<void> {
  demandVersion(document, rewrite.version);
  if (rewrite.edit.size > 0 && !(await vscode.workspace.applyEdit(rewrite.edit))) {
    throw changedError();
  }
}

function demandVersion(document: vscode.TextDocument, version: number): void {
  if (document.version !== version || document.isClosed) {
    throw changedError();
  }
}

function changedError(): Error {
  return new Error(vscode.l10n.t('The file was edited meanwhile, so nothing was changed. Try again.'));
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
