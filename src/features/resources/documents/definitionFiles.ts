import * as vscode from 'vscode';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { describeError } from '../../../common/text/describeError';
import { type Draft, type DraftBase, type Drafts, type Resource, type ResourceKind, toDefinition, toDefinitionText } from '../definitions';
import type { DraftState } from './draftLenses';

/** The document of something as the service has it. */
export interface Shown<B extends DraftBase = DraftBase> {
  readonly base: B;
  readonly name: string;
  /** When the service made it so, milliseconds since 1970. */
  readonly madeAt: number;
}

/** What of a draft does not depend on what it is a draft of. */
export interface Saved<D extends Draft> extends Pick<Draft, 'id' | 'name' | 'text' | 'savedAt'> {
  readonly base?: NonNullable<D['base']>;
}

/** What documents of one sort are: their addresses, their drafts, and where their texts come from. */
export interface DocumentSort<P, D extends Draft> {
  readonly drafts: Drafts<D>;
  /** Scheme of texts that are shown beside documents. */
  readonly snapshotScheme: string;
  /** What a document shows; undefined when the address is not one of these. */
  parse(uri: vscode.Uri): P | undefined;
  toUri(place: P, name: string): vscode.Uri;
  /** The draft that saving keeps; undefined for what can only be read. */
  draftIdOf(place: P): string | undefined;
  /** Whether the service does not have it yet: then the draft is all there is. */
  isNew(place: P): boolean;
  /** The draft of what is saved. */
  toDraft(place: P, saved: Saved<D>): D;
  /** Reads it from the service. `byItself`: nobody asked for it now. */
  read(place: P, byItself: boolean): Promise<Shown<NonNullable<D['base']>>>;
  /** The name in an address, without its ending. */
  nameOf(uri: vscode.Uri): string;
}

/**
 * Definitions as files of VS Code: what the service has now can be edited, and saving keeps a draft on this machine; what is only
 * told can be read. Nothing is published by saving.
 */
export class DefinitionFiles<P, D extends Draft> {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly shown = new Map<string, Shown<NonNullable<D['base']>>>();
  /** Documents that the user asked for now: reading them is no act by itself. */
  private readonly asked = new Set<string>();
  private snapshots: ReadonlyDocuments | undefined;
  readonly onDidChangeFile = this.changed.event;

  constructor(private readonly sort: DocumentSort<P, D>) {}

  /** A text as it stands now, to read beside others. */
  snapshot(name: string, text: string): vscode.Uri {
    this.snapshots ??= new ReadonlyDocuments(this.sort.snapshotScheme, () => '');
    return this.snapshots.create(name, text);
  }

  dispose(): void {
    this.snapshots?.dispose();
    this.changed.dispose();
  }

  /** The address of a document: the one under which it is open already, whatever the thing was called then. */
  uriOf(place: P, name: string): vscode.Uri {
    const uri = this.sort.toUri(place, name);
    const open = vscode.workspace.textDocuments.find(document => isSameDocument(document.uri, uri));
    return open !== undefined && !open.isClosed ? open.uri : uri;
  }

  /** Opens a document because the user asked for it. */
  async open(place: P, name: string, options: vscode.TextDocumentShowOptions = {}): Promise<vscode.TextEditor> {
    const uri = this.uriOf(place, name);
    return await this.asking(uri, async () =>
      vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false, ...options }),
    );
  }

  /** Runs what reads a document because the user asked for it. */
  async asking<T>(uri: vscode.Uri, work: () => Promise<T>): Promise<T> {
    this.asked.add(uri.path);
    try {
      return await work();
    } finally {
      this.asked.delete(uri.path);
    }
  }

  /** Whether the user asked for a document now. */
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

  /** What the draft or the open document of something was begun from. */
  baseOf(draftId: string): D['base'] {
    return this.sort.drafts.find(draftId)?.base ?? this.shown.get(draftId)?.base;
  }

  /** Takes in how something is on the service as just seen; a document without a draft then shows it. */
  see(draftId: string, seen: () => Shown<NonNullable<D['base']>>, isChanged: (base: NonNullable<D['base']>) => boolean): void {
    const known = this.shown.get(draftId);
    // What is being typed was begun from what was shown: that stays the base until it is saved.
    if (known !== undefined && isChanged(known.base) && !this.isTypedIn(draftId)) {
      this.shown.set(draftId, seen());
      if (this.sort.drafts.find(draftId) === undefined) {
        this.touch(draftId);
      }
    }
  }

  /** Lets the open document that has this draft be read again. */
  touch(draftId: string): void {
    const uris = vscode.workspace.textDocuments.flatMap(({ uri }) => (this.draftIdOf(uri) === draftId ? [uri] : []));
    this.changed.fire(uris.map(uri => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  /** Lets a document that is open be read again. */
  readAgain(uri: vscode.Uri): void {
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const place = this.placeOf(uri);
    const { text, mtime } = await this.read(uri, place);
    const permissions = this.sort.draftIdOf(place) === undefined ? { permissions: vscode.FilePermission.Readonly } : {};
    return { type: vscode.FileType.File, ctime: 0, mtime, size: Buffer.byteLength(text), ...permissions };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.read(uri, this.placeOf(uri))).text);
  }

  /** Keeps what was saved as a draft. What equals what it was begun from is no draft. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { drafts } = this.sort;
    const place = this.placeOf(uri);
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

  /** Whether a document that has this draft holds what is not saved. */
  private isTypedIn(draftId: string): boolean {
    return vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && this.draftIdOf(uri) === draftId);
  }

  private draftIdOf(uri: vscode.Uri): string | undefined {
    const place = this.sort.parse(uri);
    return place === undefined || this.sort.isNew(place) ? undefined : this.sort.draftIdOf(place);
  }

  private placeOf(uri: vscode.Uri): P {
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
      return { text: shown.base.text, mtime: shown.madeAt };
    } catch (error) {
      throw error instanceof vscode.FileSystemError ? error : vscode.FileSystemError.Unavailable(describeError(error));
    }
  }
}

/** Whether two addresses show the same, whatever its name was when they were made: the last part is only what a tab shows. */
export function isSameDocument(a: vscode.Uri, b: vscode.Uri): boolean {
  const folder = ({ path }: vscode.Uri) => path.slice(0, path.lastIndexOf('/'));
  return a.scheme === b.scheme && folder(a) === folder(b);
}

/** The document of a thing as the service has it. */
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
    madeAt: Date.parse(typeof updated === 'string' ? updated : '') || (version ?? 0),
  };
}

/** The name in the address of a document, without its ending. */
export function nameInUri({ path }: vscode.Uri, ending: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const plain = name.endsWith(ending) ? name.slice(0, -ending.length) : name;
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}
