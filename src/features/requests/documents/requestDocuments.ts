import * as vscode from 'vscode';
import { afterStart } from '../../../common/afterStart';
import { activeUri } from '../../../common/asking/activeUri';
import { setContextKey } from '../../../common/contextKeys';
import { Debounce } from '../../../common/debounce';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import type { Log } from '../../../common/log';
import { looksLikeBatch } from '../../../jsonl/scanning/looksLikeBatch';
import type { Connections } from '../../connection';
import type { RuleSettings } from '../ruleSettings';
import { RequestDocument } from './requestDocument';
import { firstLines, mayBeRequestFile, mayHoldRequests, readFirstLines, sampleLines } from './requestFile';

/** Open document with requests, and the results of its checks. */
export interface OpenRequestFile {
  readonly document: vscode.TextDocument;
  readonly requests: RequestDocument;
}

// Delay to combine a burst of keystrokes, in milliseconds.
const settleDelay = 200;

/**
 * Open documents that look like request files. A document is added when its first lines look like requests, and removed when they no longer
 * do or it is closed. Sets the context key `managedAgents.requestFile` for the active editor.
 */
export class RequestDocuments implements vscode.Disposable {
  private readonly files = new Map<string, OpenRequestFile>();
  private readonly debounce = new Debounce();
  private readonly changed = new vscode.EventEmitter<OpenRequestFile>();
  private readonly opened = new vscode.EventEmitter<OpenRequestFile>();
  private readonly closed = new vscode.EventEmitter<OpenRequestFile>();
  private readonly subscriptions: vscode.Disposable;
  private activeTurn = 0;
  private limits: string;
  /** Fires when the checks of a file have new results, or a sweep starts or ends. */
  readonly onDidChange = this.changed.event;
  readonly onDidOpen = this.opened.event;
  /** Fires when a document was closed or no longer looks like requests. */
  readonly onDidClose = this.closed.event;

  constructor(
    private readonly connections: Connections,
    private readonly rules: RuleSettings,
    private readonly log: Log,
  ) {
    this.limits = JSON.stringify(connections.current?.limits);
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument(document => this.detect(document)),
      vscode.workspace.onDidCloseTextDocument(document => this.leave(document)),
      vscode.workspace.onDidChangeTextDocument(event => this.follow(event)),
      vscode.window.tabGroups.onDidChangeTabs(() => void this.markActive()),
      vscode.window.tabGroups.onDidChangeTabGroups(() => void this.markActive()),
      vscode.window.onDidChangeActiveTextEditor(() => void this.markActive()),
      connections.onDidChange(() => this.recheck()),
      rules.onDidChange(() => this.recheckAll()),
      afterStart(() => {
        for (const document of vscode.workspace.textDocuments) {
          this.detect(document);
        }
        void this.markActive();
      }),
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
    const requests = new RequestDocument(
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
    const file: OpenRequestFile = { document, requests };
    this.files.set(key, file);
    requests.onDidChange(() => this.changed.fire(file));
    this.opened.fire(file);
    void this.markActive();
  }

  private leave(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    const file = this.files.get(key);
    if (file !== undefined) {
      this.files.delete(key);
      this.debounce.cancel(key);
      file.requests.dispose();
      this.closed.fire(file);
      void this.markActive();
    }
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (contentChanges.length === 0) {
      return;
    }
    const file = this.files.get(document.uri.toString());
    file?.requests.change(contentChanges);
    if (mayHoldRequests(document) && contentChanges.some(change => change.range.start.line < sampleLines)) {
      this.debounce.run(`detect ${document.uri.toString()}`, settleDelay, () => this.detect(document));
    }
  }

  /** Checks all documents again if the limits of the connection have changed. */
  private recheck(): void {
    const limits = JSON.stringify(this.connections.current?.limits);
    if (limits === this.limits) {
      return;
    }
    this.limits = limits;
    this.recheckAll();
  }

  private recheckAll(): void {
    for (const { requests } of this.files.values()) {
      requests.restart();
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
    // The file is in the editor of another extension, or too large for the extension host.
    try {
      return looksLikeBatch(await readFirstLines(uri.fsPath));
    } catch {
      return false;
    }
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.debounce.dispose();
    for (const { requests } of this.files.values()) {
      requests.dispose();
    }
    this.files.clear();
    this.changed.dispose();
    this.opened.dispose();
    this.closed.dispose();
  }
}
