export interface ReadMemory {
  readonly id: string;
  readonly sha256: string;
  /** `undefined` if it was read without its content. */
  readonly content: string | undefined;
  /** Size that the service reports, in bytes. `undefined` if it reports none. */
  readonly bytes: number | undefined;
  readonly versionId: string | undefined;
  /** Modification time reported to VS Code, in milliseconds since 1970. */
  readonly mtime: number;
}

/** Maximum number of cached reads of one memory. The newest stay. */
const maxReads = 8;

/**
 * Bases of documents: the memories that their texts come from. A memory can be read again while its document has unsaved edits. A save must
 * therefore not compare with the last read, but with the read that the unedited document last showed.
 */
export class MemoryBases {
  private readonly reads = new Map<string, readonly ReadMemory[]>();
  private readonly shown = new Map<string, ReadMemory>();
  private readonly cached = new Map<string, ReadMemory>();

  /** Records a read with content. */
  read(key: string, memory: ReadMemory): void {
    this.cached.delete(key);
    this.reads.set(key, [...(this.reads.get(key) ?? []), memory].slice(-maxReads));
  }

  /** Records a read without content. */
  look(key: string, memory: ReadMemory): void {
    this.cached.set(key, memory);
  }

  /** Records the text of a document without unsaved edits. */
  shows(key: string, text: string): void {
    const reads = this.reads.get(key) ?? [];
    const wanted = plain(text);
    // A text that VS Code shows in a different form than it was read can only be the last read.
    const base = reads.findLast(({ content }) => content !== undefined && plain(content) === wanted) ?? reads.at(-1);
    if (base !== undefined) {
      this.shown.set(key, base);
    }
  }

  /** Sets the base of the document. */
  begin(key: string, memory: ReadMemory): void {
    this.cached.delete(key);
    this.reads.set(key, [memory]);
    this.shown.set(key, memory);
  }

  /** Returns the base of the document, else the last read with content, else the last read without. `undefined` if there is none. */
  baseOf(key: string): ReadMemory | undefined {
    return this.shown.get(key) ?? this.reads.get(key)?.at(-1) ?? this.cached.get(key);
  }

  /**
   * Returns the memory as last reported to VS Code, if it is newer than the base of its document. Returns `undefined` if it is not, or if
   * VS Code can't notice because the size is the same.
   */
  newerOf(key: string): ReadMemory | undefined {
    const [base, looked] = [this.baseOf(key), this.cached.get(key)];
    const isNewer = base !== undefined && looked !== undefined && looked.sha256 !== base.sha256 && looked.mtime > base.mtime;
    return isNewer && looked.bytes !== base.bytes ? looked : undefined;
  }

  /** Returns whether the base of a document is known. */
  isShown(key: string): boolean {
    return this.shown.has(key);
  }

  /** Moves all entries to another key. */
  move(from: string, to: string): void {
    for (const map of [this.reads, this.shown, this.cached] as Map<string, unknown>[]) {
      const known = map.get(from);
      map.delete(from);
      map.delete(to);
      if (known !== undefined) {
        map.set(to, known);
      }
    }
  }

  forget(key: string): void {
    this.reads.delete(key);
    this.shown.delete(key);
    this.cached.delete(key);
  }
}

/** Normalizes a text as VS Code does: one kind of line breaks and no byte order mark. */
function plain(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
}
