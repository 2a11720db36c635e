import * as vscode from 'vscode';
import { askModal, showWarning } from '../../../common/asking/notifications';
import type { FoundLine } from '../../../jsonl/pretty/lineJobs';
import { toLine } from '../../../jsonl/pretty/prettyLine';
import { nameOf } from '../documents/requestFile';
import type { EditedRequest } from './editedRequest';
import type { FollowedChange } from './followedLine';
import type { RequestSources } from './requestSources';

/** Writes the texts of request documents to their lines. Throws an error for the user if a text can't be written. */
export class RequestWriter {
  constructor(
    private readonly sources: RequestSources,
    /** Called after a write, when the line and the document have the same content. */
    private readonly written: (edited: EditedRequest, change: FollowedChange) => Promise<void>,
  ) {}

  /** Writes a text to its line. If the line no longer exists and the user saves (`isAsked`), offers to add it again. */
  async write(edited: EditedRequest, text: string, isAsked: boolean): Promise<void> {
    if (edited.isLost) {
      await this.saveLost(edited, text, isAsked);
      return;
    }
    const { text: line } = edited.line;
    const result = toLine(text, line);
    if ('openStringAt' in result) {
      throw openString(text, result.openStringAt);
    }
    if (result.line === line) {
      await this.sources.saveAgain(edited.source);
      edited.text.save(line, text);
      return;
    }
    await this.demandFile(edited, isAsked);
    const state = await this.put(edited, edited.line, result.line, text);
    if (state === 'unsaved' && !edited.isUnsavedReported) {
      edited.isUnsavedReported = true;
      const where = vscode.l10n.t('Written to line {0} of {1}, not saved yet', edited.line.line + 1, nameOf(edited.source));
      vscode.window.setStatusBarMessage(`$(edit) ${where}`, 8000);
    }
  }

  /** Reports that the line of an open or changed document no longer exists, and offers to add it again. */
  async showLoss(edited: EditedRequest): Promise<void> {
    const { t } = vscode.l10n;
    const add = t('Add as New Line at the End');
    const message = t('The line is no longer in {0}.', nameOf(edited.source));
    const choice = await showWarning(message, add);
    const text = edited.document?.getText();
    if (choice === add && text !== undefined && edited.isLost) {
      await this.addAtEnd(edited, text, true);
      await edited.document?.save();
    }
  }

  private async saveLost(edited: EditedRequest, text: string, isAsked: boolean): Promise<void> {
    const { t } = vscode.l10n;
    const add = t('Add as New Line at the End');
    const message = t('The line has changed. Try again.');
    const detail = t('You can add this text as a new line.');
    if (!isAsked || (await askModal(message, { detail }, add)) !== add) {
      throw new Error(`${message} ${t('Nothing was written. Your text is kept.')}`);
    }
    await this.addAtEnd(edited, text, isAsked);
  }

  private async addAtEnd(edited: EditedRequest, text: string, isAsked: boolean): Promise<void> {
    const result = toLine(text, '', edited.line.text);
    if ('openStringAt' in result) {
      throw openString(text, result.openStringAt);
    }
    await this.demandFile(edited, isAsked);
    await this.put(edited, 'end', result.line, text);
  }

  /** Asks whether to create the file again, if it was deleted while its document stayed open and the user saves (`isAsked`). */
  private async demandFile(edited: EditedRequest, isAsked: boolean): Promise<void> {
    if (!(await this.sources.wouldRemake(edited.source))) {
      return;
    }
    const { t } = vscode.l10n;
    const restore = t('Restore File');
    const message = t('{0} was deleted.', nameOf(edited.source));
    const detail = t('Save to restore it from the editor.');
    if (!isAsked || (await askModal(message, { detail }, restore)) !== restore) {
      throw new Error(`${message} ${t('Nothing was written. Your text is kept.')}`);
    }
  }

  private async put(edited: EditedRequest, target: FoundLine | 'end', line: string, text: string) {
    edited.isWriting = true;
    try {
      const written = await this.sources.write(edited.source, target, line);
      // An open document has already reported the position of the line.
      const isMovedByDocument = target !== 'end' && this.sources.document(edited.source) !== undefined;
      const change = isMovedByDocument ? 'same' : edited.moveTo({ line: written.line, text: line });
      edited.diskState = await this.sources.stateOf(edited.source);
      edited.text.save(line, text);
      await this.written(edited, change);
      return written.state;
    } finally {
      edited.isWriting = false;
    }
  }
}

function openString(text: string, offset: number): Error {
  const line = text.slice(0, offset).split('\n').length;
  return new Error(
    vscode.l10n.t(
      'The string that starts on line {0} has a line break. Close it with a quotation mark, or write line breaks as \\n.',
      line,
    ),
  );
}
