import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { showWarning } from '../../../common/asking/notifications';
import { Debounce } from '../../../common/debounce';
import { combine } from '../../../common/disposables';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { fileNameOf } from '../../../common/files/fileNameOf';
import type { StoredList } from '../../../common/storedList';
import { describeError } from '../../../common/text/describeError';
import type { FoundLine } from '../../../jsonl/pretty/lineInFile';
import { customIdOf, hasPrint } from '../../../jsonl/pretty/lineSearch';
import { toLine } from '../../../jsonl/pretty/prettyLine';
import { diskStampOf } from '../documents/fileOnDisk';
import { toLineChanges } from '../documents/lineChanges';
import { fileLabelOf, parseRequestUri, requestScheme, toRequestUri } from '../documents/requestFile';
import { type EditingDependencies, offerActs } from '../fileWork';
import { createRequestEditorStore, EditedRequest, type FollowedChange, type RequestEditorRecord } from './editedRequest';
import { registerLensProblems } from './lensProblems';
import { RequestSources } from './requestSources';
import { toEditedKind } from './requestText';

const { t } = vscode.l10n;

// Delay that combines a burst of keystrokes in the source, in milliseconds.
const settleMs = 100;
const byteOrderMark = '\ufeff';

/** Documents of single requests. Tracks the line of each document through all changes of its source, and saves to that line. */
export class RequestEditors implements vscode.Disposable {
  readonly sources: RequestSources;
  private readonly edited = new Map<string, EditedRequest>();
  private readonly loading = new Map<string, Promise<EditedRequest>>();
  private readonly debounce = new Debounce();
  private readonly store: StoredList<RequestEditorRecord>;
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly subscriptions: vscode.Disposable;
  readonly onDidChangeFile = this.changed.event;

  constructor(private readonly deps: EditingDependencies) {
    this.sources = new RequestSources(deps);
    this.store = createRequestEditorStore(deps.context.workspaceState);
    this.subscriptions = combine(
      this.changed,
      this.debounce,
      registerLensProblems(deps, uri => this.get(uri)?.source),
      vscode.workspace.onDidChangeTextDocument(event => this.follow(event)),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => this.forSource(uri, edited => this.relocate(edited))),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.leave(uri)),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) {
          this.followRename(oldUri, newUri);
        }
      }),
    );
  }

  /** Returns the request of a document. `undefined` for any other document. */
  get(uri: vscode.Uri): EditedRequest | undefined {
    return this.edited.get(parseRequestUri(uri) ?? '');
  }

  /** Returns the open document of a line, or creates a document. */
  open(source: vscode.Uri, found: FoundLine): EditedRequest {
    const key = source.toString();
    const open = [...this.edited.values()].find(
      edited => !edited.isLost && edited.line.line === found.line && edited.source.toString() === key && edited.document !== undefined,
    );
    if (open !== undefined) {
      return open;
    }
    const name = customIdOf(found.text) ?? t('line {0}', found.line + 1);
    const id = randomBytes(9).toString('base64url');
    const uri = toRequestUri(id, source, name, toEditedKind(found.text));
    return this.add(new EditedRequest(id, uri, source, found, indentOf(source), Date.now()));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    // The parent folder in the URI is virtual and has the name of the source.
    if (uri.path.split('/').length < 3) {
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
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
    return Buffer.from((readsUtf8(uri) ? '' : byteOrderMark) + edited.text.state.text);
  }

  /** Writes a text to its line. Rejects if the text can't be written. VS Code then keeps the text. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const edited = await this.load(uri);
    const { stamp } = edited.text.state;
    try {
      await this.locate(edited);
      if (edited.text.hasConflictSince(stamp)) {
        // VS Code checks for conflicts before it calls this method. The user must see the text before overwriting it.
        throw new Error(t('The text has changed. Save again.'));
      }
      await this.write(edited, new TextDecoder().decode(content));
    } catch (error) {
      throw error instanceof vscode.FileSystemError ? error : vscode.FileSystemError.Unavailable(describeError(error));
    }
  }

  /** Writes a text to its line. If the line no longer exists, offers to add it again. */
  private async write(edited: EditedRequest, text: string): Promise<void> {
    if (edited.isLost) {
      this.offerToAdd(edited);
      throw new Error(t('Nothing was written. Your text is kept.'));
    }
    const before = edited.line;
    const line = lineOf(text, before.text);
    if (line === before.text) {
      await this.sources.saveAgain(edited.source);
      edited.text.save(line, text);
      return;
    }
    const isSaved = await this.put(edited, before, line, text);
    if (!isSaved && !edited.isUnsavedReported) {
      edited.isUnsavedReported = true;
      const where = t('Written to line {0} of {1}, not saved yet', edited.line.line + 1, fileLabelOf(edited.source));
      vscode.window.setStatusBarMessage(`$(edit) ${where}`, 8000);
    }
  }

  /** Reports that the line of a document no longer exists, and offers to add it again. */
  private offerToAdd(edited: EditedRequest): void {
    const add = async () => {
      const text = edited.document?.getText();
      if (text !== undefined && edited.isLost) {
        await this.put(edited, 'end', lineOf(text, '', edited.line.text), text);
        await edited.document?.save();
      }
    };
    const message = t('The line is no longer in {0}.', fileLabelOf(edited.source));
    offerActs(this.deps, message, [{ label: t('Add as New Line at the End'), run: add }], showWarning);
  }

  /** Writes a line to the source. Returns whether the source is saved. */
  private async put(edited: EditedRequest, target: FoundLine | 'end', line: string, text: string): Promise<boolean> {
    edited.isWriting = true;
    try {
      const written = await this.sources.write(edited.source, target, line);
      // The change event of an open document has already updated the position of the line.
      const isMovedByDocument = target !== 'end' && openDocumentOf(edited.source) !== undefined;
      const change = isMovedByDocument ? 'same' : edited.moveTo({ line: written.line, text: line });
      edited.diskState = await diskStampOf(edited.source.fsPath);
      edited.text.save(line, text);
      this.react(edited, change);
      // Saving the source may have changed other text too, for example by formatting on save.
      this.settleLater(edited);
      await this.store.put(edited.record);
      return written.isSaved;
    } finally {
      edited.isWriting = false;
    }
  }

  async locate(edited: EditedRequest): Promise<void> {
    if (edited.isWriting) {
      return;
    }
    const isOpen = openDocumentOf(edited.source) !== undefined;
    const state = isOpen ? undefined : await diskStampOf(edited.source.fsPath);
    if (isOpen || state === undefined || state !== edited.diskState) {
      const change = await edited.locate(wanted => this.sources.find(edited.source, wanted));
      if (change === undefined) {
        await this.locate(edited);
        return;
      }
      edited.diskState = state;
      this.react(edited, change);
    }
    this.settle(edited);
  }

  /** Finds the line again after the source was opened, closed, or changed elsewhere. */
  private relocate(edited: EditedRequest): void {
    this.locate(edited).catch(error => this.deps.log.warn(describeError(error)));
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

  /** Restores a document from an earlier window. */
  private async restore(id: string, uri: vscode.Uri): Promise<EditedRequest> {
    const record = this.store.find(one => one.id === id);
    if (record === undefined) {
      throw vscode.FileSystemError.Unavailable(t('The line has changed. Try again.'));
    }
    const source = vscode.Uri.parse(record.source, true);
    try {
      if (source.scheme === 'file' && openDocumentOf(source) === undefined) {
        // Opens the source first, so that its unsaved changes are used. A source that is too large is read from disk.
        await vscode.workspace.openTextDocument(source).then(undefined, () => undefined);
      }
      const found = await this.sources.find(source, record);
      if (found === undefined) {
        throw new Error(t('The line has changed. Try again.'));
      }
      const stamp = hasPrint(found.text, record.print) ? record.stamp : record.stamp + 1;
      return this.add(new EditedRequest(id, uri, source, found, indentOf(source), stamp));
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(describeError(error));
    }
  }

  private add(edited: EditedRequest): EditedRequest {
    this.edited.set(edited.id, edited);
    edited.watcher?.dispose();
    edited.watcher = edited.source.scheme === 'file' ? watchFile(edited.source, () => this.relocate(edited)) : undefined;
    void this.store.put(edited.record);
    return edited;
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document.uri.scheme === requestScheme) {
      const edited = this.get(document.uri);
      if (edited !== undefined && !document.isDirty) {
        this.settle(edited);
      }
    } else if (contentChanges.length > 0) {
      this.forSource(document.uri, edited => {
        const change = edited.follow(toLineChanges(contentChanges), document);
        this.react(edited, change);
        if (change === 'changed' || change === 'found' || change === 'moved') {
          this.settleLater(edited);
        }
      });
    }
  }

  /** Updates the document after a change of its line, unless the document has unsaved changes. */
  private settle(edited: EditedRequest): void {
    if (edited.isLost || edited.isWriting) {
      return;
    }
    const { document, text } = edited;
    if (text.updateLine(edited.line.text, document?.isDirty === true ? document.getText() : undefined)) {
      this.changed.fire([{ type: vscode.FileChangeType.Changed, uri: edited.uri }]);
      void this.store.put(edited.record);
    }
  }

  /** Reports that the line no longer exists, or exists again. */
  private react(edited: EditedRequest, change: FollowedChange): void {
    if (change === 'found') {
      this.changed.fire([{ type: vscode.FileChangeType.Created, uri: edited.uri }]);
    }
    if (change === 'lost') {
      this.changed.fire([{ type: vscode.FileChangeType.Deleted, uri: edited.uri }]);
      const { document } = edited;
      if (document?.isDirty === true || vscode.window.visibleTextEditors.some(editor => editor.document === document)) {
        this.offerToAdd(edited);
      }
    }
  }

  private followRename(from: vscode.Uri, to: vscode.Uri): void {
    for (const edited of this.edited.values()) {
      const { path, scheme } = edited.source;
      if (scheme === from.scheme && (path === from.path || path.startsWith(`${from.path}/`))) {
        edited.source = edited.source.with({ path: to.path + path.slice(from.path.length) });
        this.add(edited);
      }
    }
  }

  private leave(uri: vscode.Uri): void {
    const edited = this.get(uri);
    if (edited !== undefined) {
      this.edited.delete(edited.id);
      edited.watcher?.dispose();
      void this.store.put(edited.record);
    }
    this.forSource(uri, other => this.relocate(other));
  }

  private forSource(source: vscode.Uri, act: (edited: EditedRequest) => void): void {
    const key = source.toString();
    for (const edited of [...this.edited.values()]) {
      if (edited.source.toString() === key) {
        act(edited);
      }
    }
  }

  private settleLater(edited: EditedRequest): void {
    this.debounce.run(edited.id, settleMs, () => {
      void this.store.put(edited.record);
      this.settle(edited);
    });
  }

  dispose(): void {
    for (const { watcher } of this.edited.values()) {
      watcher?.dispose();
    }
    this.subscriptions.dispose();
  }
}

/** Returns whether VS Code reads a file as UTF-8 by default. Otherwise the document needs a byte order mark, which VS Code keeps. */
function readsUtf8(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration('files', { uri, languageId: 'json' });
  return files.get('encoding', 'utf8') === 'utf8' && files.get('autoGuessEncoding') !== true;
}

/** Returns a text as one line, like `toLine`. Throws an error for the user if the text has an unclosed string. */
function lineOf(...[text, ...rest]: Parameters<typeof toLine>): string {
  const result = toLine(text, ...rest);
  if ('line' in result) {
    return result.line;
  }
  const line = text.slice(0, result.openStringAt).split('\n').length;
  throw new Error(
    t('The string that starts on line {0} has a line break. Close it with a quotation mark, or write line breaks as \\n.', line),
  );
}

function indentOf(source: vscode.Uri): string {
  const editor = vscode.workspace.getConfiguration('editor', { uri: source, languageId: 'json' });
  if (editor.get<boolean>('detectIndentation') !== false) {
    return '  ';
  }
  return editor.get<boolean>('insertSpaces') === false ? '\t' : ' '.repeat(Math.max(1, Math.min(8, Number(editor.get('tabSize')) || 2)));
}

function watchFile(file: vscode.Uri, onChange: () => void): vscode.Disposable {
  const pattern = new vscode.RelativePattern(vscode.Uri.joinPath(file, '..'), fileNameOf(file).replace(/[[{?*]/g, '[$&]'));
  const watcher = vscode.workspace.createFileSystemWatcher(pattern, true);
  return combine(watcher, watcher.onDidChange(onChange), watcher.onDidDelete(onChange));
}
