import type { TextPrint } from '../../../jsonl/pretty/lineSearch';

/** Stored facts about a document of one request, with which a reloaded window restores it. They have no text of the line. */
export interface RequestEditorRecord {
  readonly id: string;
  /** URI of the source. */
  readonly source: string;
  readonly line: number;
  readonly customId?: string | undefined;
  readonly print: TextPrint;
  readonly stamp: number;
}

/** `vscode.Memento` */
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
