import * as vscode from 'vscode';
import { afterStart } from '../../../common/afterStart';
import { activeUri } from '../../../common/asking/activeUri';
import { setContextKey } from '../../../common/contextKeys';
import { Debounce } from '../../../common/debounce';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { whenOpened } from '../../../common/documents/whenOpened';
import type { Log } from '../../../common/log';
import type { DocumentChecker, DocumentTotals } from '../../../jsonl/checking/documentChecker';
import { looksLikeBatch } from '../../../jsonl/scanning/fileKind';
import type { Connections } from '../../connection';
import type { RuleSettings } from '../ruleSettings';
import { type TextChange, toLineChanges } from './lineChanges';
import { firstLines, mayBeRequestFile, mayHoldRequests, readFirstLines, sampleLines } from './requestFile';

// Delay that combines a burst of keystrokes, in milliseconds.
const settleDelay = 200;

/**
 * Open documents that look like request files. A document is added when its first lines look like requests. It is removed when they no
 * longer do, or when it is closed. Sets the context key `managedAgents.requestFile` for the active editor.
 */
export class RequestDocuments implements vscode.Disposable {
  private readonly files = new Map<string, OpenRequestFile>();
  private readonly debounce = new Debounce();
  private readonly changed = new vscode.EventEmitter<OpenRequestFile>();
  private readonly opened = new vscode.EventEmitter<OpenRequestFile>();
  private readonly closed = new vscode.EventEmitter<OpenRequestFile>();
  private readonly subscriptions: vscode.Disposable;
  private activeTurn = 0;
  /** Fires when a file has new check results, or a sweep starts or ends. */
  readonly onDidChange = this.changed.event;
  readonly onDidOpen = this.opened.event;
  /** Fires when a document was closed or no longer looks like requests. */
  readonly onDidClose = this.closed.event;

  constructor(
    private readonly connections: Connections,
    private readonly rules: RuleSettings,
    private readonly log: Log,
  ) {
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidCloseTextDocument(document => this.leave(document)),
      vscode.workspace.onDidChangeTextDocument(event => this.follow(event)),
      vscode.window.tabGroups.onDidChangeTabs(() => void this.markActive()),
      vscode.window.tabGroups.onDidChangeTabGroups(() => void this.markActive()),
      vscode.window.onDidChangeActiveTextEditor(() => void this.markActive()),
      rules.onDidChange(() => {
        for (const file of this.files.values()) {
          file.restart();
        }
      }),
      whenOpened(document => this.detect(document)),
      afterStart(() => void this.markActive()),
      ...[this.debounce, this.changed, this.opened, this.closed],
    );
  }

  /** Returns the file of a document or URI, if it is open and has requests. */
  get(target: vscode.TextDocument | vscode.Uri): OpenRequestFile | undefined {
    const uri = 'uri' in target ? target.uri : target;
    return this.files.get(uri.toString());
  }

  all(): readonly OpenRequestFile[] {
    return [...this.files.values()];
  }

  private detect(document: vscode.TextDocument): void {
    if (!mayHoldRequests(document) || document.isClosed) {
      return;
    }
    if (!looksLikeBatch(firstLines(document))) {
      this.leave(document);
    } else if (!this.files.has(document.uri.toString())) {
      this.join(document);
    }
  }

  private join(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    const file = new OpenRequestFile(
      document,
      async () => {
        const [{ DocumentChecker }, { QuickLineCheck }] = await Promise.all([
          import('../../../jsonl/checking/documentChecker'),
          import('../../../jsonl/checking/quickLineCheck'),
        ]);
        return new DocumentChecker(document, this.connections.current?.limits, new QuickLineCheck(this.rules.options(document.uri)));
      },
      callback => this.debounce.run(key, settleDelay, callback),
      error => this.log.error(`Could not check ${key}`, error),
    );
    this.files.set(key, file);
    file.onDidChange(() => this.changed.fire(file));
    this.opened.fire(file);
    void this.markActive();
  }

  private leave(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    const file = this.files.get(key);
    if (file !== undefined) {
      this.files.delete(key);
      this.debounce.cancel(key);
      file.dispose();
      this.closed.fire(file);
      void this.markActive();
    }
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (contentChanges.length === 0) {
      return;
    }
    const file = this.files.get(document.uri.toString());
    file?.change(contentChanges);
    if (mayHoldRequests(document) && contentChanges.some(change => change.range.start.line < sampleLines)) {
      this.debounce.run(`detect ${document.uri.toString()}`, settleDelay, () => this.detect(document));
    }
  }

  private async markActive(): Promise<void> {
    const turn = ++this.activeTurn;
    const isRequestFile = await this.isActiveRequestFile();
    if (turn === this.activeTurn) {
      setContextKey('managedAgents.requestFile', isRequestFile);
    }
  }

  private async isActiveRequestFile(): Promise<boolean> {
    const uri = activeUri();
    if (uri === undefined || this.files.has(uri.toString())) {
      return uri !== undefined;
    }
    if (openDocumentOf(uri) !== undefined || uri.scheme !== 'file' || !mayBeRequestFile(uri)) {
      return false;
    }
    // The file is open in another extension's editor, or too large for the extension host.
    return looksLikeBatch(await readFirstLines(uri.fsPath).catch(() => []));
  }

  dispose(): void {
    this.subscriptions.dispose();
    for (const file of this.files.values()) {
      file.dispose();
    }
    this.files.clear();
  }
}

/** Open document with requests, and the current results of its checks. */
export class OpenRequestFile implements vscode.Disposable {
  private readonly controller = new AbortController();
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly lineChanges = new vscode.EventEmitter<ReturnType<typeof toLineChanges>>();
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
    readonly document: vscode.TextDocument,
    private readonly createChecker: () => Promise<DocumentChecker>,
    private readonly settle: (callback: () => void) => void,
    private readonly reportFailure: (error: unknown) => void,
  ) {
    this.sweeping = this.sweep();
  }

  /** Checker of the document. `undefined` until it has read every line. */
  get checker(): DocumentChecker | undefined {
    return this.isBusy ? undefined : this.loaded;
  }

  /**
   * Totals of the whole file. During another read, these are the totals of the previous read. `undefined` until the first read completes.
   */
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

  /** Reads the lines that are not read yet, or every line after a restart. */
  private async sweep(): Promise<void> {
    const { signal } = this.controller;
    try {
      do {
        const known = this.stale ? undefined : this.loaded;
        this.stale = false;
        const checker = known ?? (await this.createChecker());
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
