import * as vscode from 'vscode';
import type { FoundLine } from '../../../jsonl/pretty/lineJobs';
import { printOf, type TextPrint } from '../../../jsonl/pretty/lineSearch';
import { FollowedLine } from './followedLine';
import { RequestText } from './requestText';

/** Request that is edited as a document: its line in the source, and its text. */
export class EditedRequest extends FollowedLine {
  readonly text: RequestText;
  /** State of the source on disk when the line was last read from there. */
  diskState: string | undefined;
  /** True once the user knows that saving leaves the source unsaved. */
  isUnsavedReported = false;
  /** True while the line is being written, so that its change event is ignored. */
  isWriting = false;

  constructor(
    readonly id: string,
    readonly uri: vscode.Uri,
    public source: vscode.Uri,
    place: FoundLine,
    indent: string,
    stamp: number,
  ) {
    super(place);
    this.text = new RequestText(place.text, indent, stamp);
  }

  get record(): RequestEditorRecord {
    const { line, text } = this.line;
    const { customId } = this.wanted;
    const { stamp } = this.text.state;
    return { id: this.id, source: this.source.toString(), line, customId, print: printOf(text), stamp };
  }

  get document(): vscode.TextDocument | undefined {
    const key = this.uri.toString();
    return vscode.workspace.textDocuments.find(document => !document.isClosed && document.uri.toString() === key);
  }
}

/** Stored facts about a document of one request, with which a reloaded window restores it. They have no text of the line. */
interface RequestEditorRecord {
  readonly id: string;
  readonly source: string;
  readonly line: number;
  readonly customId?: string | undefined;
  readonly print: TextPrint;
  readonly stamp: number;
}

interface Memento {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const key = 'requestEditors';
/** Maximum number of records. Closed documents can be reopened for a while. */
const maxRecords = 100;

/** Stored documents of requests of this workspace, newest last. */
export class RequestEditorStore {
  constructor(private readonly memento: Memento) {}

  find(id: string): RequestEditorRecord | undefined {
    return this.all().find(record => record.id === id);
  }

  async save(record: RequestEditorRecord): Promise<void> {
    const others = this.all().filter(({ id }) => id !== record.id);
    await this.memento.update(key, [...others, record].slice(-maxRecords));
  }

  private all(): readonly RequestEditorRecord[] {
    const records = this.memento.get(key);
    return Array.isArray(records) ? records.filter(isRecord) : [];
  }
}

function isRecord(value: unknown): value is RequestEditorRecord {
  const record = value as Partial<RequestEditorRecord> | null;
  return (
    typeof record?.id === 'string' && typeof record.source === 'string' && typeof record.line === 'number' && record.print !== undefined
  );
}
