import { type FileKind as ContentKind, fileKindOf } from '../../../jsonl/scanning/fileKind';

/** Kind of a file. `empty`: a JSON Lines file without text. */
export type FileKind = ContentKind | 'empty';

/** Returns the kind of a file from its first lines. `undefined` for any other file. */
export function kindOfLines(lines: readonly string[]): FileKind | undefined {
  return lines.every(line => line.replace('\ufeff', '').trim() === '') ? 'empty' : fileKindOf(lines);
}

/** Returns whether a file has rows, or is a template for them, by its name. */
export function isRowsFile(path: string): boolean {
  return /\.(?:csv|tsv|batch-template\.json)$/i.test(path);
}

/** Number of files after which the kinds found so far are reported. */
const reportedAfter = 200;

/** Finds the kinds of files one after the other, and reports them. An unreadable file has no kind. */
export class FileKinds {
  private readonly kinds = new Map<string, FileKind>();
  private readonly reported = new Map<FileKind, string>();
  private readonly waiting = new Set<string>();
  private finding: Promise<void> | undefined;
  private isDisposed = false;

  constructor(
    private readonly read: (path: string) => Promise<readonly string[]>,
    /** Called with the sorted paths of a kind whenever they change. */
    private readonly report: (kind: FileKind, paths: readonly string[]) => void,
  ) {}

  /** Reads files, including those with a known kind. Settles when all requested files were read. */
  async find(...paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      this.waiting.add(path);
    }
    this.finding ??= this.findAll();
    await this.finding;
  }

  dispose(): void {
    this.isDisposed = true;
    this.waiting.clear();
  }

  private async findAll(): Promise<void> {
    // Combines paths that are added in the same turn.
    await Promise.resolve();
    let count = 0;
    // Includes paths that are added or added again meanwhile.
    for (const path of this.waiting) {
      this.waiting.delete(path);
      const kind = await this.kindOf(path);
      if (kind === undefined) {
        this.kinds.delete(path);
      } else {
        this.kinds.set(path, kind);
      }
      if (++count % reportedAfter === 0) {
        this.reportChanges();
      }
    }
    this.reportChanges();
    this.finding = undefined;
  }

  private async kindOf(path: string): Promise<FileKind | undefined> {
    if (isRowsFile(path)) {
      return 'rows';
    }
    const lines = await this.read(path).catch(() => undefined);
    const kind = lines && kindOfLines(lines);
    return kind === 'empty' && path.endsWith('.json') ? undefined : kind;
  }

  private reportChanges(): void {
    if (this.isDisposed) {
      return;
    }
    for (const kind of new Set([...this.reported.keys(), ...this.kinds.values()])) {
      const paths = [...this.kinds].flatMap(([path, other]) => (other === kind ? [path] : [])).sort();
      const text = JSON.stringify(paths);
      if (text !== this.reported.get(kind)) {
        this.reported.set(kind, text);
        this.report(kind, paths);
      }
    }
  }
}
