import type * as vscode from 'vscode';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { areTexts, StoredList } from '../../../common/storedList';
import type { FoundLine } from '../../../jsonl/pretty/lineJobs';
import { printOf, type TextPrint } from '../../../jsonl/pretty/lineSearch';
import { FollowedLine } from './followedLine';
import { RequestText } from './requestText';

/** Request that is edited as a document: its line in the source, and its text. */
export class EditedRequest extends FollowedLine {
  readonly text: RequestText;
  /** Stamp of the source on disk when the line was last read from there. */
  diskState: string | undefined;
  /** True once a message has explained that saving leaves the source unsaved. */
  isUnsavedReported = false;
  /** True while the line is being written. Its change event is ignored then. */
  isWriting = false;

  constructor(
    readonly id: string,
    readonly uri: vscode.Uri,
    public source: vscode.Uri,
    found: FoundLine,
    indent: string,
    stamp: number,
  ) {
    super(found);
    this.text = new RequestText(found.text, indent, stamp);
  }

  get record(): RequestEditorRecord {
    const { line, text } = this.line;
    const { customId } = this.wanted;
    const { stamp } = this.text.state;
    return { id: this.id, source: this.source.toString(), line, customId, print: printOf(text), stamp };
  }

  get document(): vscode.TextDocument | undefined {
    return openDocumentOf(this.uri);
  }
}

/** Stored facts about a document of one request, used to restore it after a reload. They don't include the text of the line. */
export interface RequestEditorRecord {
  readonly id: string;
  readonly source: string;
  readonly line: number;
  readonly customId?: string | undefined;
  readonly print: TextPrint;
  readonly stamp: number;
}

/** Creates the list of the request documents of this workspace. Closed documents can be reopened for a limited time. */
export function createRequestEditorStore(state: vscode.Memento): StoredList<RequestEditorRecord> {
  return new StoredList(state, {
    key: 'requestEditors',
    max: 100,
    identity: ({ id }) => id,
    isEntry: ({ id, source, line, print }) => areTexts(id, source) && typeof line === 'number' && print !== undefined,
  });
}
