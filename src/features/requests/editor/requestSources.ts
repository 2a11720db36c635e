import * as vscode from 'vscode';
import { exists } from '../../../common/asking/newFile';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { smallestEdit } from '../../../jsonl/fixes/textEdit';
import type { FoundLine } from '../../../jsonl/pretty/lineInFile';
import { findLineIn, type WantedLine } from '../../../jsonl/pretty/lineSearch';
import { unsavedDocument } from '../documents/fileOnDisk';
import { fileLabelOf } from '../documents/requestFile';
import { demandUnlocked, demandWritable } from '../documents/writable';
import { type EditingDependencies, runJob } from '../fileWork';

/** Reads and writes lines of request files of any size: in the open document, or else in the file on disk. */
export class RequestSources {
  /** Settles after the last queued write. */
  private writing: Promise<unknown> = Promise.resolve();
  /** Document versions that could not be saved. Their only unsaved changes are lines written by this class. */
  private readonly failed = new WeakMap<vscode.TextDocument, number>();

  constructor(private readonly deps: Pick<EditingDependencies, 'jobs' | 'lifetime'>) {}

  /** Finds a line. Returns `undefined` if it doesn't exist. Throws an error for the user if the source can't be read. */
  async find(source: vscode.Uri, wanted: WantedLine): Promise<FoundLine | undefined> {
    const document = openDocumentOf(source);
    if (document !== undefined) {
      const line = findLineIn(document, wanted);
      return line === undefined ? undefined : { line, text: document.lineAt(line).text };
    }
    const path = await this.pathOf(source);
    const title = vscode.l10n.t('Searching {0}', fileLabelOf(source));
    return await runJob(this.deps, title, 'findLine', { path, wanted });
  }

  /**
   * Replaces a line, or adds one at the end, without changing any other byte. Returns the position of the line, and whether the source is
   * saved. A source with other unsaved changes in an editor is not saved.
   */
  async write(source: vscode.Uri, target: FoundLine | 'end', text: string): Promise<{ readonly line: number; readonly isSaved: boolean }> {
    const work = this.writing.then(() => this.writeNow(source, target, text));
    this.writing = work.catch(() => undefined);
    return await work;
  }

  private async writeNow(source: vscode.Uri, position: FoundLine | 'end', text: string) {
    const document = openDocumentOf(source);
    if (document !== undefined) {
      return await this.writeInDocument(document, position, text);
    }
    const path = await this.pathOf(source);
    await demandUnlocked(source);
    const title = vscode.l10n.t('Saving the request into {0}', fileLabelOf(source));
    const line = await runJob(this.deps, title, 'writeLine', { path, position, text });
    return { line, isSaved: true };
  }

  /** Replaces only the difference within one line, as one undo step. Saves the document if it had no other unsaved changes. */
  private async writeInDocument(document: vscode.TextDocument, target: FoundLine | 'end', text: string) {
    await demandWritable(document);
    const saves = this.saves(document);
    if (saves && !(await exists(document.uri.fsPath))) {
      const name = fileLabelOf(document.uri);
      throw new Error(`${vscode.l10n.t('{0} was deleted.', name)} ${vscode.l10n.t('Save {0} first.', name)}`);
    }
    const { edit, line } = toEdit(document, target, text);
    if (!(await vscode.workspace.applyEdit(edit))) {
      throw new Error(vscode.l10n.t('The file has changed in the meantime. Try again.'));
    }
    if (saves) {
      await this.save(document);
    }
    return { line, isSaved: saves };
  }

  /** Tries again to save lines that could not be saved when they were written. Throws an error for the user if saving fails again. */
  async saveAgain(source: vscode.Uri): Promise<void> {
    const document = openDocumentOf(source);
    if (document?.isDirty === true && this.saves(document)) {
      await this.save(document);
    }
  }

  /** Returns whether to save a document after writing a line. False if the document has unsaved changes that this class didn't write. */
  private saves(document: vscode.TextDocument): boolean {
    return document.uri.scheme === 'file' && (!document.isDirty || this.failed.get(document) === document.version);
  }

  private async save(document: vscode.TextDocument): Promise<void> {
    if (await document.save()) {
      return;
    }
    this.failed.set(document, document.version);
    throw new Error(vscode.l10n.t("Couldn't save {0}. Save it first.", fileLabelOf(document.uri)));
  }

  private async pathOf(source: vscode.Uri): Promise<string> {
    if (source.scheme !== 'file') {
      throw new Error(vscode.l10n.t('File not found: {0}', fileLabelOf(source)));
    }
    await unsavedDocument(source);
    return source.fsPath;
  }
}

function toEdit(document: vscode.TextDocument, target: FoundLine | 'end', text: string): { edit: vscode.WorkspaceEdit; line: number } {
  const edit = new vscode.WorkspaceEdit();
  if (target === 'end') {
    const { text: lastText, lineNumber, range } = document.lineAt(document.lineCount - 1);
    const lineBreak = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    edit.insert(document.uri, range.end, lastText === '' ? `${text}${lineBreak}` : `${lineBreak}${text}`);
    return { edit, line: lastText === '' ? lineNumber : document.lineCount };
  }
  const { line } = target;
  if (document.lineAt(line).text !== target.text) {
    throw new Error(vscode.l10n.t('The text has changed. Save again.'));
  }
  const { start, end, text: changed } = smallestEdit(target.text, text);
  edit.replace(document.uri, new vscode.Range(line, start, line, end), changed);
  return { edit, line };
}
