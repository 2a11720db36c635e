import * as vscode from 'vscode';
import type { FoundLine } from '../../../jsonl/pretty/lineJobs';
import { customIdOf, printOf, type WantedLine } from '../../../jsonl/pretty/lineSearch';
import type { LineChange } from '../lineChanges';
import { findAgain, followLine } from './followLine';
import type { RequestEditorRecord } from './requestEditorStore';
import { RequestText } from './requestText';

/** What became of the line after the source changed. */
export type LineFate = 'same' | 'moved' | 'changed' | 'lost' | 'found';

/** One request that is edited as a document: which line of which source it is, and the text that shows it. */
export class EditedRequest {
  readonly text: RequestText;
  /** Of the source on disk, when the line was last read from there. */
  diskState: string | undefined;
  /** Whether the user was told that saving leaves the source unsaved. */
  isUnsavedTold = false;
  /** Whether the line is being written: its change is no news. */
  isWriting = false;
  private customId: string | undefined;
  private lost = false;

  constructor(
    readonly id: string,
    readonly uri: vscode.Uri,
    public source: vscode.Uri,
    private place: FoundLine,
    indent: string,
    stamp: number,
  ) {
    this.customId = customIdOf(place.text);
    this.text = new RequestText(place.text, indent, stamp);
  }

  /** The line, which is not there any more when `isLost`. */
  get line(): FoundLine {
    return this.place;
  }

  get isLost(): boolean {
    return this.lost;
  }

  /** By what the line is found again when its source was not watched for a while. */
  get wanted(): WantedLine {
    return { ...this.place, customId: this.customId };
  }

  get record(): RequestEditorRecord {
    const { line, text } = this.place;
    const { stamp } = this.text.state;
    return { id: this.id, source: this.source.toString(), line, customId: this.customId, print: printOf(text), stamp };
  }

  /** The open document, if there is one. */
  get document(): vscode.TextDocument | undefined {
    const key = this.uri.toString();
    return vscode.workspace.textDocuments.find(document => !document.isClosed && document.uri.toString() === key);
  }

  /** Follows one event of the source's document. */
  follow(changes: readonly LineChange[] | undefined, document: vscode.TextDocument): LineFate {
    const find = this.lost ? findAgain : followLine;
    const line = find(this.wanted, changes, document);
    return this.moveTo(line === undefined ? undefined : { line, text: document.lineAt(line).text });
  }

  /** Takes in where the line stands now; undefined: nowhere. */
  moveTo(found: FoundLine | undefined): LineFate {
    if (found === undefined) {
      const fate = this.lost ? 'same' : 'lost';
      this.lost = true;
      return fate;
    }
    const before = this.place;
    const wasLost = this.lost;
    this.lost = false;
    this.place = found;
    if (found.text !== before.text) {
      // A line that is being typed in may have no id that can be read: it has the one it had.
      this.customId = customIdOf(found.text) ?? this.customId;
    }
    return wasLost ? 'found' : found.text !== before.text ? 'changed' : found.line !== before.line ? 'moved' : 'same';
  }
}
