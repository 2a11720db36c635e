import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { describeError } from '../../../common/describeError';
import { combine } from '../../../common/disposables';
import { showWarning } from '../../../common/notifications';
import { toLabel } from '../../../common/text';
import type { FoundLine } from '../../../jsonl/pretty/lineJobs';
import { customIdOf, hasPrint } from '../../../jsonl/pretty/lineSearch';
import { toLine } from '../../../jsonl/pretty/prettyLine';
import type { EditingDependencies } from '../editing';
import { toLineChanges } from '../lineChanges';
import { toEditedKind } from './editedKind';
import { EditedRequest, type LineFate } from './editedRequest';
import { LensProblems } from './lensProblems';
import { RequestEditorStore } from './requestEditorStore';
import { nameOf, RequestSources } from './requestSources';
import { parseRequestUri, requestScheme, toRequestUri } from './requestUri';
import { SourceHighlight } from './sourceHighlight';
import { differenceOf } from './textDifference';

// One burst of keystrokes in the source is one change of the document beside it.
const settleMs = 100;

/** The documents of single requests: which line each stands for, through every change of its source, and what saving writes. */
export class RequestEditors implements vscode.Disposable {
  readonly sources: RequestSources;
  private readonly edited = new Map<string, EditedRequest>();
  private readonly loading = new Map<string, Promise<EditedRequest>>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly watchers = new Map<string, vscode.Disposable>();
  private readonly reasons = new Map<string, vscode.TextDocumentSaveReason>();
  private readonly store: RequestEditorStore;
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly deps: EditingDependencies,
    private readonly tellChanges: (events: vscode.FileChangeEvent[]) => void,
  ) {
    this.sources = new RequestSources(deps.jobs);
    this.store = new RequestEditorStore(deps.context.workspaceState);
    this.subscriptions = combine(
      this.sources,
      new SourceHighlight(this),
      new LensProblems(deps),
      vscode.workspace.onDidChangeTextDocument(event => this.follow(event)),
      vscode.workspace.onDidOpenTextDocument(document => this.forSource(document.uri, edited => this.relocate(edited))),
      vscode.workspace.onDidCloseTextDocument(document => this.leave(document)),
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => this.reasons.set(document.uri.toString(), reason)),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) {
          this.rename(oldUri, newUri);
        }
      }),
    );
  }

  /** The request that a document shows; undefined for every other document. */
  get(uri: vscode.Uri): EditedRequest | undefined {
    return this.edited.get(parseRequestUri(uri) ?? '');
  }

  /** The document of a line: the one that is open already, or a new one. */
  begin(source: vscode.Uri, place: FoundLine): EditedRequest {
    const open = [...this.edited.values()].find(
      edited => !edited.isLost && edited.line.line === place.line && edited.source.toString() === source.toString() && edited.document,
    );
    if (open !== undefined) {
      return open;
    }
    const name = customIdOf(place.text) ?? vscode.l10n.t('line {0}', place.line + 1);
    const id = randomUUID();
    return this.add(new EditedRequest(id, toRequestUri(id, name, toEditedKind(place.text)), source, place, indentOf(source), Date.now()));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const edited = await this.load(uri);
    await this.locate(edited);
    if (edited.isLost) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const { stamp, bytes } = edited.text.state;
    return { type: vscode.FileType.File, ctime: 0, mtime: stamp, size: bytes };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const edited = await this.load(uri);
    if (edited.isLost) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return Buffer.from(edited.text.state.text);
  }

  /** Writes the one line that the text stands for. Rejects, and VS Code keeps the words, when it cannot be written. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const edited = await this.load(uri);
    const text = Buffer.from(content).toString('utf8');
    try {
      await this.locate(edited);
      await this.write(edited, text);
    } catch (error) {
      throw error instanceof vscode.FileSystemError ? error : vscode.FileSystemError.Unavailable(describeError(error));
    }
  }

  /** Adds what the document of a lost line holds to the end of its source, as a new line. */
  async addAtEnd(edited: EditedRequest, text: string): Promise<void> {
    const result = toLine(text, '', edited.line.text);
    if ('openStringAt' in result) {
      throw openString(text, result.openStringAt);
    }
    await this.put(edited, 'end', result.line, text);
  }

  /** Looks where the line stands now, and brings document and line together. */
  async locate(edited: EditedRequest): Promise<void> {
    if (edited.isWriting) {
      return;
    }
    const document = this.sources.document(edited.source);
    const state = document === undefined ? await this.sources.stateOf(edited.source) : undefined;
    if (document === undefined && state === edited.diskState && state !== undefined) {
      this.settle(edited, false);
      return;
    }
    const found = await this.sources.find(edited.source, edited.wanted);
    edited.diskState = state;
    this.react(edited, edited.moveTo(found));
    this.settle(edited, false);
  }

  /** The source was opened, closed, or written by others. */
  private relocate(edited: EditedRequest): void {
    this.locate(edited).then(
      () => this.settle(edited, true),
      error => this.deps.log.warn(describeError(error)),
    );
  }

  private async load(uri: vscode.Uri): Promise<EditedRequest> {
    const id = parseRequestUri(uri);
    if (id === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const known = this.edited.get(id) ?? this.loading.get(id);
    if (known !== undefined) {
      return known;
    }
    const loading = this.restore(id, uri).finally(() => this.loading.delete(id));
    this.loading.set(id, loading);
    return loading;
  }

  /** A document that an earlier window had open. */
  private async restore(id: string, uri: vscode.Uri): Promise<EditedRequest> {
    const { t } = vscode.l10n;
    const record = this.store.find(id);
    if (record === undefined) {
      throw vscode.FileSystemError.Unavailable(
        t('It is not known any more which line this request came from. Open its file and choose Edit Request at the line.'),
      );
    }
    const source = vscode.Uri.parse(record.source, true);
    try {
      if (source.scheme === 'file' && this.sources.document(source) === undefined) {
        // Where it has unsaved changes, those count; a file that is too large is read from disk.
        await vscode.workspace.openTextDocument(source).then(undefined, () => undefined);
      }
      const found = await this.sources.find(source, record);
      if (found === undefined) {
        throw new Error(t('The line of this request is no longer in {0}.', nameOf(source)));
      }
      const stamp = hasPrint(found.text, record.print) ? record.stamp : record.stamp + 1;
      return this.add(new EditedRequest(id, uri, source, found, indentOf(source), stamp));
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(describeError(error));
    }
  }

  private add(edited: EditedRequest): EditedRequest {
    this.edited.set(edited.id, edited);
    if (edited.source.scheme === 'file') {
      const { path } = edited.source;
      const place = new vscode.RelativePattern(vscode.Uri.joinPath(edited.source, '..'), path.slice(path.lastIndexOf('/') + 1));
      const watcher = vscode.workspace.createFileSystemWatcher(place, true);
      const look = () => this.relocate(edited);
      this.watchers.set(edited.id, combine(watcher, watcher.onDidChange(look), watcher.onDidDelete(look)));
    }
    void this.store.save(edited.record);
    return edited;
  }

  private async write(edited: EditedRequest, text: string): Promise<void> {
    const { t } = vscode.l10n;
    if (edited.isLost) {
      await this.saveLost(edited, text);
      return;
    }
    const result = toLine(text, edited.line.text);
    if ('openStringAt' in result) {
      throw openString(text, result.openStringAt);
    }
    if (result.line === edited.line.text) {
      edited.text.save(result.line, text);
      return;
    }
    const state = await this.put(edited, edited.line, result.line, text);
    if (state === 'unsaved' && !edited.isUnsavedTold) {
      edited.isUnsavedTold = true;
      const { line } = edited.line;
      vscode.window.setStatusBarMessage(
        t('$(edit) Written to line {0} of {1}, which has unsaved changes', line + 1, nameOf(edited.source)),
        8000,
      );
    }
  }

  /** A line that is gone is not written in its old place: the user decides, unless nobody asked for saving. */
  private async saveLost(edited: EditedRequest, text: string): Promise<void> {
    const { t } = vscode.l10n;
    const add = t('Add as New Line at the End');
    const message = t('The line of this request is no longer in {0}.', nameOf(edited.source));
    const detail = t('It was removed, split or joined with another one. What stands here can be added as a new line.');
    const isAsked = this.reasons.get(edited.uri.toString()) === vscode.TextDocumentSaveReason.Manual;
    if (!isAsked || (await vscode.window.showWarningMessage(message, { modal: true, detail }, add)) !== add) {
      throw new Error(`${message} ${t('Nothing was written; the words are kept here.')}`);
    }
    await this.addAtEnd(edited, text);
  }

  private async put(edited: EditedRequest, place: FoundLine | 'end', line: string, text: string) {
    edited.isWriting = true;
    try {
      const written = await this.sources.write(edited.source, place, line);
      if (place === 'end' || this.sources.document(edited.source) === undefined) {
        this.react(edited, edited.moveTo({ line: written.line, text: line }));
      }
      edited.diskState = await this.sources.stateOf(edited.source);
      edited.text.save(line, text);
      await this.store.save(edited.record);
      return written.state;
    } finally {
      edited.isWriting = false;
      // Saving the source can have changed more: what the user's settings trim, or what others typed.
      this.later(edited.id, () => this.settle(edited, true));
    }
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document.uri.scheme === requestScheme) {
      const edited = this.get(document.uri);
      if (edited !== undefined && !document.isDirty && !edited.isWriting) {
        this.settle(edited, false);
      }
      return;
    }
    if (contentChanges.length === 0) {
      return;
    }
    this.forSource(document.uri, edited => {
      const fate = edited.follow(toLineChanges(contentChanges), document);
      this.react(edited, fate);
      if (fate === 'changed' || fate === 'found') {
        this.later(edited.id, () => this.settle(edited, true));
      } else if (fate === 'moved') {
        this.later(edited.id, () => void this.store.save(edited.record));
      }
    });
  }

  /** Lets the document follow its line, or, where both changed, brings the changes together. */
  private settle(edited: EditedRequest, mayMerge: boolean): void {
    const { document, text } = edited;
    if (edited.isLost || edited.isWriting) {
      return;
    }
    const unsaved = document?.isDirty === true ? document.getText() : undefined;
    if (text.see(edited.line.text, unsaved)) {
      this.tellChanges([{ type: vscode.FileChangeType.Changed, uri: edited.uri }]);
      void this.store.save(edited.record);
    } else if (mayMerge && document !== undefined && unsaved !== undefined && text.hasConflict) {
      void this.merge(edited, document, unsaved);
    }
  }

  private async merge(edited: EditedRequest, document: vscode.TextDocument, unsaved: string): Promise<void> {
    const { t } = vscode.l10n;
    const lineBreak = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    const merged = edited.text.merge(unsaved)?.replaceAll('\n', lineBreak);
    const where = t('Line {0} of {1} was changed meanwhile', edited.line.line + 1, nameOf(edited.source));
    if (merged === undefined) {
      vscode.window.setStatusBarMessage(`$(warning) ${where}; ${t('saving will let you compare')}`, 8000);
      return;
    }
    const { start, end, words } = differenceOf(unsaved, merged);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(edited.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), words);
    if (await vscode.workspace.applyEdit(edit)) {
      edited.text.acceptMerge();
      vscode.window.setStatusBarMessage(`$(git-merge) ${where}; ${t('both changes are here now')}`, 8000);
    }
  }

  /** Tells VS Code and the user that the line is gone, or there again. */
  private react(edited: EditedRequest, fate: LineFate): void {
    if (fate === 'found') {
      this.tellChanges([{ type: vscode.FileChangeType.Created, uri: edited.uri }]);
    }
    if (fate === 'lost') {
      this.tellChanges([{ type: vscode.FileChangeType.Deleted, uri: edited.uri }]);
      if (edited.document?.isDirty === true || vscode.window.visibleTextEditors.some(({ document }) => document === edited.document)) {
        void this.tellLoss(edited).catch(error => this.deps.log.error('A lost line could not be added again', error));
      }
    }
  }

  private async tellLoss(edited: EditedRequest): Promise<void> {
    const { t } = vscode.l10n;
    const add = t('Add as New Line at the End');
    const id = customIdOf(edited.line.text);
    const message =
      id === undefined
        ? t('The line of this request is no longer in {0}. Its words are kept in its editor only.', nameOf(edited.source))
        : t('The line of {0} is no longer in {1}. Its words are kept in its editor only.', toLabel(id, 60), nameOf(edited.source));
    const choice = await showWarning(message, add);
    const text = edited.document?.getText();
    if (choice === add && text !== undefined && edited.isLost) {
      await this.addAtEnd(edited, text);
      this.tellChanges([{ type: vscode.FileChangeType.Created, uri: edited.uri }]);
    }
  }

  private rename(from: vscode.Uri, to: vscode.Uri): void {
    for (const edited of this.edited.values()) {
      const path = edited.source.path;
      if (edited.source.scheme === from.scheme && (path === from.path || path.startsWith(`${from.path}/`))) {
        edited.source = edited.source.with({ path: to.path + path.slice(from.path.length) });
        this.watchers.get(edited.id)?.dispose();
        this.add(edited);
      }
    }
  }

  private leave(document: vscode.TextDocument): void {
    const edited = this.get(document.uri);
    if (edited !== undefined) {
      this.edited.delete(edited.id);
      this.watchers.get(edited.id)?.dispose();
      this.watchers.delete(edited.id);
      void this.store.save(edited.record);
    }
    this.forSource(document.uri, other => this.relocate(other));
  }

  private forSource(source: vscode.Uri, act: (edited: EditedRequest) => void): void {
    const key = source.toString();
    for (const edited of [...this.edited.values()]) {
      if (edited.source.toString() === key) {
        act(edited);
      }
    }
  }

  private later(id: string, act: () => void): void {
    clearTimeout(this.timers.get(id));
    this.timers.set(
      id,
      setTimeout(() => {
        this.timers.delete(id);
        act();
      }, settleMs),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
    for (const timer of this.timers.values()) {
      clearTimeout(timer);
    }
    for (const watcher of this.watchers.values()) {
      watcher.dispose();
    }
  }
}

/** As VS Code indents JSON here, and as its formatter leaves it. */
function indentOf(source: vscode.Uri): string {
  const editor = vscode.workspace.getConfiguration('editor', { uri: source, languageId: 'json' });
  if (editor.get<boolean>('detectIndentation') !== false) {
    return '  ';
  }
  return editor.get<boolean>('insertSpaces') === false ? '\t' : ' '.repeat(Math.max(1, Math.min(8, Number(editor.get('tabSize')) || 2)));
}

function openString(text: string, offset: number): Error {
  const line = text.slice(0, offset).split('\n').length;
  return new Error(
    vscode.l10n.t(
      'The text that begins on line {0} is not closed on its line, so this cannot be written as one line. Close it with a quotation mark, or write its line breaks as \\n.',
      line,
    ),
  );
}
