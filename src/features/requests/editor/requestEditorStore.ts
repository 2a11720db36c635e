import type { TextPrint } from '../../../jsonl/pretty/lineSearch';

/** What is kept of a document of one request, so that a reloaded window can show it again. Nothing of what the line says. */
export interface RequestEditorRecord {
  readonly id: string;
  /** Address of the source. */
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
/** Closed ones can be opened again for a while. */
const mostRecords = 100;

/** The documents of requests that this workspace has had open, the newest last. */
export class RequestEditorStore {
  constructor(private readonly memento: Memento) {}

  find(id: string): RequestEditorRecord | undefined {
    return this.all().find(record => record.id === id);
  }

  async save(record: RequestEditorRecord): Promise<void> {
    const others = this.all().filter(({ id }) => id !== record.id);
    await this.memento.update(key, [...others, record].slice(-mostRecords));
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
