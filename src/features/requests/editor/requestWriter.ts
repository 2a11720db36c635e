import * as vscode from 'vscode';
import { askModal, showWarning } from '../../../common/asking/notifications';
import type { FoundLine } from '../../../jsonl/pretty/lineJobs';
import { customIdOf } from '../../../jsonl/pretty/lineSearch';
import { toLine } from '../../../jsonl/pretty/prettyLine';
import { toLabel } from '../../../shared/text';
import type { EditedRequest } from './editedRequest';
import type { LineFate } from './followedLine';
import { nameOf, type RequestSources } from './requestSources';

/** Puts what documents of requests hold into their lines. What cannot be written is refused with a sentence. */
export class RequestWriter {
  constructor(
    private readonly sources: RequestSources,
    /** The line stands now where it was written, and says what the document says. */
    private readonly written: (edited: EditedRequest, fate: LineFate) => Promise<void>,
  ) {}

  /** Writes the one line that a text stands for. A line that is gone is added again when the user, who saves by `isAsked`, wants it. */
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
    if (state === 'unsaved' && !edited.isUnsavedTold) {
      edited.isUnsavedTold = true;
      const where = vscode.l10n.t('Written to line {0} of {1}, which has unsaved changes', edited.line.line + 1, nameOf(edited.source));
      vscode.window.setStatusBarMessage(`$(edit) ${where}`, 8000);
    }
  }

  /** Says that a line is gone whose words the user is looking at, or has changed, and offers to add them again. */
  async tellLoss(edited: EditedRequest): Promise<void> {
    const { t } = vscode.l10n;
    const add = t('Add as New Line at the End');
    const id = customIdOf(edited.line.text);
    const message =
      id === undefined
        ? t('The line of this request is no longer in {0}. Its words are kept in its editor only.', nameOf(edited.source))
        : t('The line of {0} is no longer in {1}. Its words are kept in its editor only.', toLabel(id, 60), nameOf(edited.source));
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
    const message = t('The line of this request is no longer in {0}.', nameOf(edited.source));
    const detail = t('It was removed, split or joined with another one. What stands here can be added as a new line.');
    if (!isAsked || (await askModal(message, { detail }, add)) !== add) {
      throw new Error(`${message} ${t('Nothing was written; the words are kept here.')}`);
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

  /** A file that was deleted while its document stayed open is made again when the user, who saves by `isAsked`, wants it. */
  private async demandFile(edited: EditedRequest, isAsked: boolean): Promise<void> {
    if (!(await this.sources.wouldRemake(edited.source))) {
      return;
    }
    const { t } = vscode.l10n;
    const remake = t('Make the File Again');
    const message = t('{0} was deleted.', nameOf(edited.source));
    const detail = t('Its requests are still in its editor. Saving makes the file again, with all of them.');
    if (!isAsked || (await askModal(message, { detail }, remake)) !== remake) {
      throw new Error(`${message} ${t('Nothing was written; the words are kept here.')}`);
    }
  }

  private async put(edited: EditedRequest, place: FoundLine | 'end', line: string, text: string) {
    edited.isWriting = true;
    try {
      const written = await this.sources.write(edited.source, place, line);
      // An open document has told already where the line stands.
      const isTold = place !== 'end' && this.sources.document(edited.source) !== undefined;
      const fate = isTold ? 'same' : edited.moveTo({ line: written.line, text: line });
      edited.diskState = await this.sources.stateOf(edited.source);
      edited.text.save(line, text);
      await this.written(edited, fate);
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
      'The text that begins on line {0} is not closed on its line, so this cannot be written as one line. Close it with a quotation mark, or write its line breaks as \\n.',
      line,
    ),
  );
}
