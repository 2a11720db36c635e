import { Emitter } from '../../../common/emitter';
import type { DocumentChecker, DocumentTotals } from '../../../jsonl/checking/documentChecker';
import { type TextChange, toLineChanges } from './lineChanges';

/** Current results of the checks of one open request file. */
export class RequestDocument {
  private readonly controller = new AbortController();
  private readonly changed = new Emitter<void>();
  private readonly lineChanges = new Emitter<ReturnType<typeof toLineChanges>>();
  private loaded: DocumentChecker | undefined;
  private sweeping: Promise<void> | undefined;
  private stale = false;
  private lastTotals: DocumentTotals | undefined;

  /** Fires after new results, at most as often as `settle` allows. */
  readonly onDidChange = this.changed.event;
  /** Fires immediately on each edit, with the lines that changed. */
  readonly onDidChangeLines = this.lineChanges.event;

  /** `createChecker` loads the rules and creates a checker for the document's lines. `settle` is a debounced callback. */
  constructor(
    private readonly createChecker: () => Promise<DocumentChecker>,
    private readonly settle: (callback: () => void) => void,
    private readonly reportFailure: (error: unknown) => void,
  ) {
    this.sweeping = this.sweep();
  }

  /** The checker, or `undefined` until it has read every line. */
  get checker(): DocumentChecker | undefined {
    return this.isBusy ? undefined : this.loaded;
  }

  /** Totals of the whole file. During another read, the previous totals. `undefined` until the first read completes. */
  get totals(): DocumentTotals | undefined {
    return this.checker?.totals ?? this.lastTotals;
  }

  get isBusy(): boolean {
    return this.sweeping !== undefined;
  }

  /** Settles when no sweep is running. */
  async whenSwept(): Promise<void> {
    while (this.sweeping !== undefined) {
      await this.sweeping;
    }
  }

  /** Applies one change event of the document. The cost does not depend on the length of the document. */
  change(changes: readonly TextChange[]): void {
    const lines = toLineChanges(changes);
    if (this.loaded !== undefined) {
      if (lines === undefined) {
        this.restart();
      } else {
        for (const { start, removed, inserted } of lines) {
          this.loaded.change(start, removed, inserted);
        }
        if (!this.loaded.isSwept && this.sweeping === undefined) {
          this.sweeping = this.sweep();
        }
      }
    }
    this.lineChanges.fire(lines);
    this.settle(() => this.fireChange());
  }

  restart(): void {
    this.stale = true;
    this.sweeping ??= this.sweep();
  }

  private create(): Promise<DocumentChecker> {
    this.stale = false;
    return this.createChecker();
  }

  /** Reads the lines that have not been read yet, or every line after a restart. */
  private async sweep(): Promise<void> {
    const { signal } = this.controller;
    try {
      do {
        const checker = this.stale || this.loaded === undefined ? await this.create() : this.loaded;
        if (signal.aborted) {
          return;
        }
        this.loaded = checker;
        await checker.sweep(() => new Promise(setImmediate), signal);
      } while (this.stale && !signal.aborted);
    } catch (error) {
      if (!signal.aborted) {
        this.reportFailure(error);
      }
    } finally {
      this.sweeping = undefined;
      this.fireChange();
    }
  }

  private fireChange(): void {
    if (!this.controller.signal.aborted) {
      this.lastTotals = this.totals;
      this.changed.fire();
    }
  }

  dispose(): void {
    this.controller.abort();
    this.changed.dispose();
    this.lineChanges.dispose();
  }
}
