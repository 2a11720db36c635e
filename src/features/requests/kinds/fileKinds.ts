import { type FileKind, fileKindOf } from '../../../jsonl/scanning/fileKind';

const kinds: readonly FileKind[] = ['requests', 'results', 'otherForm', 'rows'];

/** How many files are looked at before what was found is told, though more wait. */
const toldAfter = 200;

/**
 * Knows by their content which files hold what. Files are looked at one after the other, and `tell` hears of each kind that other paths
 * are of now; a file that cannot be read is of none.
 */
export class FileKinds {
  private readonly found = new Map<string, FileKind>();
  private readonly told = new Map<FileKind, string>();
  private readonly waiting = new Set<string>();
  private looking: Promise<void> | undefined;
  private isDisposed = false;

  constructor(
    /** The first lines of a file. */
    private readonly read: (path: string) => Promise<readonly string[]>,
    private readonly tell: (kind: FileKind, paths: readonly string[]) => void,
  ) {}

  /** Looks at files, also at those that are known already. Settles when no file waits any more. */
  async look(...paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      this.waiting.add(path);
    }
    this.looking ??= this.lookAtAll();
    await this.looking;
  }

  dispose(): void {
    this.isDisposed = true;
    this.waiting.clear();
  }

  private async lookAtAll(): Promise<void> {
    // What is asked for with it waits by then.
    await Promise.resolve();
    let looked = 0;
    // A set hands out what is added to it meanwhile, and what is added again after it was looked at.
    for (const path of this.waiting) {
      this.waiting.delete(path);
      const kind = await this.read(path).then(fileKindOf, () => undefined);
      if (kind === undefined) {
        this.found.delete(path);
      } else {
        this.found.set(path, kind);
      }
      if (++looked % toldAfter === 0) {
        this.tellChanges();
      }
    }
    this.tellChanges();
    // At once: whoever asks from here on asks anew.
    this.looking = undefined;
  }

  private tellChanges(): void {
    if (this.isDisposed) {
      return;
    }
    for (const kind of kinds) {
      const paths = [...this.found].flatMap(([path, other]) => (other === kind ? [path] : [])).sort();
      const text = JSON.stringify(paths);
      if (text !== (this.told.get(kind) ?? '[]')) {
        this.told.set(kind, text);
        this.tell(kind, paths);
      }
    }
  }
}
