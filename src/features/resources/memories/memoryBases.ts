/** A memory as it was read. */
export interface ReadMemory {
  readonly id: string;
  readonly sha256: string;
  /** Undefined where only the rest was looked at. */
  readonly content: string | undefined;
  /** Size as the service reports it, in bytes; `undefined` if it does not. */
  readonly bytes: number | undefined;
  readonly versionId: string | undefined;
  /** What VS Code was told, milliseconds since 1970. */
  readonly mtime: number;
}

/** Reads of one memory that are kept at most, the newest. */
const mostReads = 8;

/**
 * What is known of the memories that documents were begun from. A memory can be read again while its document is being typed in: what
 * saving must find unchanged is not what was read last, but what the document showed when it was last as it was read.
 */
export class MemoryBases {
  private readonly reads = new Map<string, readonly ReadMemory[]>();
  private readonly shown = new Map<string, ReadMemory>();
  private readonly looked = new Map<string, ReadMemory>();

  /** The memory was read. */
  read(key: string, memory: ReadMemory): void {
    this.looked.delete(key);
    this.reads.set(key, [...(this.reads.get(key) ?? []), memory].slice(-mostReads));
  }

  /** The memory was looked at, without its content. */
  look(key: string, memory: ReadMemory): void {
    this.looked.set(key, memory);
  }

  /** A document shows this text and nothing is typed in it. */
  shows(key: string, text: string): void {
    const reads = this.reads.get(key) ?? [];
    const wanted = plain(text);
    // What VS Code shows in another way than it came can only be the last.
    const base = reads.findLast(({ content }) => content !== undefined && plain(content) === wanted) ?? reads.at(-1);
    if (base !== undefined) {
      this.shown.set(key, base);
    }
  }

  /** From now on its document stands on this one. */
  begin(key: string, memory: ReadMemory): void {
    this.looked.delete(key);
    this.reads.set(key, [memory]);
    this.shown.set(key, memory);
  }

  /** What the document was begun from, else what was read last, else what was looked at last; undefined for what nobody knows. */
  baseOf(key: string): ReadMemory | undefined {
    return this.shown.get(key) ?? this.reads.get(key)?.at(-1) ?? this.looked.get(key);
  }

  /**
   * Returns the memory as last reported to VS Code, if it is newer than the base of its document; `undefined` if it is not, or if VS Code
   * can't notice because the size is the same.
   */
  newerOf(key: string): ReadMemory | undefined {
    const [base, looked] = [this.baseOf(key), this.looked.get(key)];
    const isNewer = base !== undefined && looked !== undefined && looked.sha256 !== base.sha256 && looked.mtime > base.mtime;
    return isNewer && looked.bytes !== base.bytes ? looked : undefined;
  }

  /** Whether a document of it is known. */
  isShown(key: string): boolean {
    return this.shown.has(key);
  }

  /** It goes by another key from now on. */
  move(from: string, to: string): void {
    for (const map of [this.reads, this.shown, this.looked] as Map<string, unknown>[]) {
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
    this.looked.delete(key);
  }
}

/** As VS Code shows a text: one kind of line ends, no mark at the beginning. */
function plain(text: string): string {
  return text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
}
