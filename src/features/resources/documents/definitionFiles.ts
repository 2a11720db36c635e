import * as vscode from 'vscode';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { describeError } from '../../../common/text/describeError';
import { type Draft, type DraftBase, type Drafts, type Resource, type ResourceKind, toDefinition, toDefinitionText } from '../definitions';
import type { DraftState } from './draftLenses';

/** Document of a resource in its state on the service. */
export interface Shown<B extends DraftBase = DraftBase> {
  readonly base: B;
  readonly name: string;
  /** Time of the last change on the service, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** Part of a draft that does not depend on its kind. */
export interface Saved<D extends Draft> extends Pick<Draft, 'id' | 'name' | 'text' | 'savedAt'> {
  readonly base?: NonNullable<D['base']>;
}

/** Definition of a sort of documents: their URIs, their drafts, and the source of their texts. */
export interface DocumentSort<P, D extends Draft> {
  readonly drafts: Drafts<D>;
  /** Scheme of the read-only texts that are shown next to documents. */
  readonly snapshotScheme: string;
  /** Returns the location of a document. `undefined` for any other URI. */
  parse(uri: vscode.Uri): P | undefined;
  toUri(place: P, name: string): vscode.Uri;
  /** Returns the ID of the draft that saving writes. `undefined` if the document is read-only. */
  draftIdOf(place: P): string | undefined;
  /** Returns whether only the draft exists, because the service does not have the resource yet. */
  isNew(place: P): boolean;
  /** Returns the draft for a saved text. */
  toDraft(place: P, saved: Saved<D>): D;
  /** Reads the resource from the service. `byItself`: in the background, without a request of the user. */
  read(place: P, byItself: boolean): Promise<Shown<NonNullable<D['base']>>>;
  /** Returns the name in a URI, without its file extension. */
  nameOf(uri: vscode.Uri): string;
}

/**
 * File system of definitions. Their state on the service can be edited, and saving writes a draft on this machine. Other documents are
 * read-only. Saving publishes nothing.
 */
export class DefinitionFiles<P, D extends Draft> {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly shown = new Map<string, Shown<NonNullable<D['base']>>>();
  /** Documents that the user asked for just now. Reading them is not a background request. */
  private readonly asked = new Set<string>();
  private snapshots: ReadonlyDocuments | undefined;
  readonly onDidChangeFile = this.changed.event;

  constructor(private readonly sort: DocumentSort<P, D>) {}

  /** Creates a read-only document from a text, to read next to others. */
  snapshot(name: string, text: string): vscode.Uri {
    this.snapshots ??= new ReadonlyDocuments(this.sort.snapshotScheme, () => '');
    return this.snapshots.create(name, text);
  }

  dispose(): void {
    this.snapshots?.dispose();
    this.changed.dispose();
  }

  /** Returns the URI of a document. If it is already open under an earlier name, returns that URI. */
  uriOf(place: P, name: string): vscode.Uri {
    const uri = this.sort.toUri(place, name);
    const open = vscode.workspace.textDocuments.find(document => isSameDocument(document.uri, uri));
    return open !== undefined && !open.isClosed ? open.uri : uri;
  }

  /** Opens a document that the user asked for. */
  async open(place: P, name: string, options: vscode.TextDocumentShowOptions = {}): Promise<vscode.TextEditor> {
    const uri = this.uriOf(place, name);
    return await this.asking(uri, async () =>
      vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false, ...options }),
    );
  }

  /** Runs `work`, which reads a document that the user asked for. */
  async asking<T>(uri: vscode.Uri, work: () => Promise<T>): Promise<T> {
    this.asked.add(uri.path);
    try {
      return await work();
    } finally {
      this.asked.delete(uri.path);
    }
  }

  /** Returns whether the user asked for a document just now. */
  protected isAsked(uri: vscode.Uri): boolean {
    return this.asked.has(uri.path);
  }

  get onDidChangeDrafts(): vscode.Event<unknown> {
    return this.sort.drafts.onDidChange;
  }

  /** Returns whether a document holds a draft. */
  stateOf(uri: vscode.Uri): DraftState {
    const place = this.sort.parse(uri);
    const id = place && this.sort.draftIdOf(place);
    if (place === undefined || id === undefined) {
      return undefined;
    }
    return this.sort.isNew(place) ? 'new' : this.sort.drafts.find(id) === undefined ? 'published' : 'draft';
  }

  /** Returns the state that a draft or open document is based on. */
  baseOf(draftId: string): D['base'] {
    return this.sort.drafts.find(draftId)?.base ?? this.shown.get(draftId)?.base;
  }

  /** Records the current state on the service. An open document without a draft then shows it. */
  see(draftId: string, seen: () => Shown<NonNullable<D['base']>>, isChanged: (base: NonNullable<D['base']>) => boolean): void {
    const known = this.shown.get(draftId);
    // Unsaved edits are based on the text shown before, which stays the base until they are saved.
    if (known !== undefined && isChanged(known.base) && !this.isTypedIn(draftId)) {
      this.shown.set(draftId, seen());
      if (this.sort.drafts.find(draftId) === undefined) {
        this.touch(draftId);
      }
    }
  }

  /** Reloads the open document of a draft. */
  touch(draftId: string): void {
    const uris = vscode.workspace.textDocuments.flatMap(({ uri }) => (this.draftIdOf(uri) === draftId ? [uri] : []));
    this.changed.fire(uris.map(uri => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  /** Reloads an open document. */
  readAgain(uri: vscode.Uri): void {
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const place = this.locationOf(uri);
    const { text, mtime } = await this.read(uri, place);
    const permissions = this.sort.draftIdOf(place) === undefined ? { permissions: vscode.FilePermission.Readonly } : {};
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text), ...permissions };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.read(uri, this.locationOf(uri))).text);
  }

  /** Saves a document as a draft. A text that equals its base is not a draft. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { drafts } = this.sort;
    const place = this.locationOf(uri);
    const id = this.sort.draftIdOf(place);
    if (id === undefined) {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
    const text = Buffer.from(content).toString('utf8');
    await drafts.load();
    const old = drafts.find(id);
    const seen = this.shown.get(id);
    const base = old?.base ?? seen?.base;
    if (!this.sort.isNew(place) && base?.text === text) {
      await drafts.remove(id);
    } else {
      const name = old?.name ?? seen?.name ?? this.sort.nameOf(uri);
      const saved = { id, name, text, savedAt: Date.now() };
      await drafts.save(this.sort.toDraft(place, base === undefined ? saved : { ...saved, base }));
    }
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  /** Returns whether a document of this draft has unsaved edits. */
  private isTypedIn(draftId: string): boolean {
    return vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && this.draftIdOf(uri) === draftId);
  }

  private draftIdOf(uri: vscode.Uri): string | undefined {
    const place = this.sort.parse(uri);
    return place === undefined || this.sort.isNew(place) ? undefined : this.sort.draftIdOf(place);
  }

  private locationOf(uri: vscode.Uri): P {
    const place = this.sort.parse(uri);
    if (place === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return place;
  }

  private async read(uri: vscode.Uri, place: P): Promise<{ readonly text: string; readonly mtime: number }> {
    const { drafts } = this.sort;
    await drafts.load();
    const byItself = !this.isAsked(uri);
    try {
      const id = this.sort.draftIdOf(place);
      if (id === undefined) {
        return { text: (await this.sort.read(place, byItself)).base.text, mtime: 0 };
      }
      const draft = drafts.find(id);
      if (draft !== undefined) {
        return { text: draft.text, mtime: draft.savedAt };
      }
      if (this.sort.isNew(place)) {
        throw vscode.FileSystemError.FileNotFound(uri);
      }
      let shown = this.shown.get(id);
      if (shown === undefined || (!byItself && !this.isTypedIn(id))) {
        shown = await this.sort.read(place, byItself);
        this.shown.set(id, shown);
      }
      return { text: shown.base.text, mtime: shown.createdAt };
    } catch (error) {
      throw error instanceof vscode.FileSystemError ? error : vscode.FileSystemError.Unavailable(describeError(error));
    }
  }
}

/** Returns whether two URIs show the same document. The last part of the path is only the label of the tab, and is ignored. */
export function isSameDocument(a: vscode.Uri, b: vscode.Uri): boolean {
  const folder = ({ path }: vscode.Uri) => path.slice(0, path.lastIndexOf('/'));
  return a.scheme === b.scheme && folder(a) === folder(b);
}

/** Returns the document of a resource in its state on the service. */
export function toShown<T extends Resource>(kind: ResourceKind<T>, value: T): Shown {
  const { definition } = kind;
  if (definition === undefined) {
    throw new Error(`unreachable: ${kind.kind} has no document`);
  }
  const { updated_at: updated } = value as { readonly updated_at?: unknown };
  const version = definition.version?.(value);
  const text = toDefinitionText(toDefinition(definition.read(value), definition));
  return {
    base: version === undefined ? { text } : { version, text },
    name: kind.name(value),
    createdAt: Date.parse(typeof updated === 'string' ? updated : '') || (version ?? 0),
  };
}

/** Returns the name in the URI of a document, without its file extension. */
export function nameInUri({ path }: vscode.Uri, ending: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const plain = name.endsWith(ending) ? name.slice(0, -ending.length) : name;
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
