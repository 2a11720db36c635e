import * as vscode from 'vscode';
import { showWarning } from '../../../common/asking/notifications';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import type { FoundLine } from '../../../jsonl/pretty/lineJobs';
import { toLine } from '../../../jsonl/pretty/prettyLine';
import { stampOf } from '../documents/fileOnDisk';
import { nameOf } from '../documents/requestFile';
import type { EditingDependencies } from '../editingDependencies';
import { offerActs } from '../fileWork';
import type { EditedRequest, FollowedChange } from './editedRequest';
import type { RequestSources } from './requestSources';

/** Writes the texts of request documents to their lines. Throws an error for the user if a text can't be written. */
export class RequestWriter {
  constructor(
    private readonly deps: EditingDependencies,
    private readonly sources: RequestSources,
    /** Called after a write, when the line and the document have the same content. */
    private readonly written: (edited: EditedRequest, change: FollowedChange) => Promise<void>,
  ) {}

  /** Writes a text to its line. If the line no longer exists, offers to add it again. */
  async write(edited: EditedRequest, text: string): Promise<void> {
    const { t } = vscode.l10n;
    if (edited.isLost) {
      this.offerToAdd(edited);
      throw new Error(`${t('The line has changed. Try again.')} ${t('Nothing was written. Your text is kept.')}`);
    }
    const before = edited.line;
    const line = lineOf(text, before.text);
    if (line === before.text) {
      await this.sources.saveAgain(edited.source);
      edited.text.save(line, text);
      return;
    }
    const state = await this.put(edited, before, line, text);
    if (state === 'unsaved' && !edited.isUnsavedReported) {
      edited.isUnsavedReported = true;
      const where = t('Written to line {0} of {1}, not saved yet', edited.line.line + 1, nameOf(edited.source));
      vscode.window.setStatusBarMessage(`$(edit) ${where}`, 8000);
    }
  }

  /** Reports that the line of a document no longer exists, and offers to add it again. */
  offerToAdd(edited: EditedRequest): void {
    const { t } = vscode.l10n;
    const add = async () => {
      const text = edited.document?.getText();
      if (text !== undefined && edited.isLost) {
        await this.put(edited, 'end', lineOf(text, '', edited.line.text), text);
        await edited.document?.save();
      }
    };
    const message = t('The line is no longer in {0}.', nameOf(edited.source));
    offerActs(this.deps, message, [{ label: t('Add as New Line at the End'), run: add }], showWarning);
  }

  private async put(edited: EditedRequest, target: FoundLine | 'end', line: string, text: string) {
    edited.isWriting = true;
    try {
      const written = await this.sources.write(edited.source, target, line);
      // The change event of an open document has already updated the position of the line.
      const isMovedByDocument = target !== 'end' && openDocumentOf(edited.source) !== undefined;
      const change = isMovedByDocument ? 'same' : edited.moveTo({ line: written.line, text: line });
      edited.diskState = await stampOf(edited.source.fsPath);
      edited.text.save(line, text);
      await this.written(edited, change);
      return written.state;
    } finally {
      edited.isWriting = false;
    }
  }
}

/** Returns a text as one line, like `toLine`. Throws an error for the user if the text has an unclosed string. */
function lineOf(...[text, ...rest]: Parameters<typeof toLine>): string {
  const result = toLine(text, ...rest);
  if ('line' in result) {
    return result.line;
  }
  const line = text.slice(0, result.openStringAt).split('\n').length;
  throw new Error(
    vscode.l10n.t(
      'The string that starts on line {0} has a line break. Close it with a quotation mark, or write line breaks as \\n.',
      line,
    ),
  );
}
