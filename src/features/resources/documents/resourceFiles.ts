import * as vscode from 'vscode';
import { AskedDocuments } from '../../../common/documents/documentFileSystem';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { describeError } from '../../../common/text/describeError';
import type { Reference } from '../../../contributions';
import { toMaskedJson } from '../../../shared/maskedJson';
import { toLabel } from '../../../shared/text';
import type { Use } from '../../connection';
import { toDefinition, toDefinitionText } from '../definitions/definitionText';
import { type DraftBase, draftIdOf } from '../definitions/drafts';
import { describeUses } from '../kinds/dependents';
import { kindNamed, type ResourceFlow, retrieve } from '../resourceFlow';
import type { Resource, ResourceKind } from '../resourceKind';
import { toPage } from '../resourcePresentation';
import type { DraftState } from './draftLenses';
import { decode, parseResourceUri, type ResourceLocation, toResourceUri } from './resourceUri';

/** Document of a resource as it is on the service. */
interface Shown {
  readonly base: DraftBase;
  readonly name: string;
  /** Modification time in milliseconds since 1970, or the version if the service reports no time. */
  readonly modifiedAt: number;
}

/** Maximum size of all cached contents, in bytes. The oldest contents are evicted first. The newest content is kept whatever its size. */
const maxContents = 64 * 1024 * 1024;

/**
 * File system of resources. Their definitions can be edited, and saving writes a draft on this machine. Pages, JSON, contents and old
 * versions are read-only. Saving publishes nothing.
 */
export class ResourceFiles {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly shown = new Map<string, Shown>();
  private readonly contents = new Map<string, Uint8Array>();
  readonly asked = new AskedDocuments();
  private snapshots: ReadonlyDocuments | undefined;
  readonly onDidChangeFile = this.changed.event;

  /** `snapshotScheme` is the scheme of the read-only texts that are shown next to documents. */
  constructor(
    private readonly flow: Pick<ResourceFlow, 'service' | 'store' | 'drafts' | 'presentation'>,
    private readonly snapshotScheme: string,
  ) {}

  snapshot(name: string, text: string): vscode.Uri {
    this.snapshots ??= new ReadonlyDocuments(this.snapshotScheme, () => '');
    return this.snapshots.create(name, text);
  }

  dispose(): void {
    this.snapshots?.dispose();
    this.changed.dispose();
  }

  /** Returns the URI of a document. If it is already open under an earlier name, returns that URI. */
  uriOf(location: ResourceLocation, name: string): vscode.Uri {
    const uri = toResourceUri(location, fileName(location, name));
    return openDocument(uri)?.uri ?? uri;
  }

  async open(location: ResourceLocation, name: string, options: vscode.TextDocumentShowOptions = {}): Promise<vscode.TextEditor> {
    const uri = this.uriOf(location, name);
    return await this.asked.during(uri, async () =>
      vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false, ...options }),
    );
  }

  get onDidChangeDrafts(): vscode.Event<unknown> {
    return this.flow.drafts.onDidChange;
  }

  stateOf(uri: vscode.Uri): DraftState {
    const location = parseResourceUri(uri);
    const id = location && draftIn(location);
    if (location === undefined || id === undefined) {
      return undefined;
    }
    return location.view === 'new' ? 'new' : this.flow.drafts.find(id) === undefined ? 'published' : 'draft';
  }

  /** Records the current state of a resource. An open document without a draft then shows this state. */
  updateListed(reference: Reference, value: Resource): void {
    const kind = kindNamed(reference.kind);
    const id = draftIdOf(reference);
    const known = this.shown.get(id);
    if (kind.definition === undefined || known === undefined) {
      return;
    }
    const current = toShown(kind, value);
    // Unsaved edits are based on the text shown before. That text stays the base until the edits are saved.
    if (current.base.text !== known.base.text && !this.isTypedIn(id)) {
      this.shown.set(id, current);
      if (this.flow.drafts.find(id) === undefined) {
        this.touch(id);
      }
    }
  }

  keepContent(uri: vscode.Uri, bytes: Uint8Array): void {
    const key = uri.toString();
    this.contents.delete(key);
    this.contents.set(key, bytes);
    let total = [...this.contents.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    for (const [other, { byteLength }] of this.contents) {
      if (total <= maxContents || other === key) {
        break;
      }
      this.contents.delete(other);
      total -= byteLength;
    }
  }

  touch(draftId: string): void {
    const uris = vscode.workspace.textDocuments.flatMap(({ uri }) => (isOf(draftId, uri) ? [uri] : []));
    this.changed.fire(uris.map(uri => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  readAgain(uri: vscode.Uri): void {
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const location = locationOf(uri);
    const { bytes, mtime } = await this.read(uri, location);
    const permissions = draftIn(location) === undefined ? { permissions: vscode.FilePermission.Readonly } : {};
    return { type: vscode.FileType.File, ctime: 0, mtime, size: bytes.byteLength, ...permissions };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.read(uri, locationOf(uri))).bytes;
  }

  /** Saves a document as a draft. Removes the draft if its text equals its base. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const { drafts } = this.flow;
    const location = locationOf(uri);
    const id = draftIn(location);
    if (id === undefined) {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
    const text = Buffer.from(content).toString('utf8');
    await drafts.load();
    const old = drafts.find(id);
    const shown = this.shown.get(id);
    const base = old?.base ?? shown?.base;
    if (location.view !== 'new' && base?.text === text) {
      await drafts.remove(id);
    } else {
      const { connection, kind } = location.view === 'new' ? location : location.reference;
      const name = old?.name ?? shown?.name ?? nameInUri(uri, `.${kindNamed(kind).definition?.ending ?? ''}.json`);
      const resource = location.view === 'new' ? {} : { resourceId: location.reference.id };
      await drafts.save({ id, connection, kind, ...resource, name, ...(base && { base }), text, savedAt: Date.now() });
    }
    this.readAgain(uri);
  }

  private isTypedIn(draftId: string): boolean {
    return vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && isOf(draftId, uri));
  }

  private async read(uri: vscode.Uri, location: ResourceLocation): Promise<{ readonly bytes: Uint8Array; readonly mtime: number }> {
    const { drafts } = this.flow;
    await drafts.load();
    const use = this.asked.has(uri) ? 'read' : 'look';
    try {
      const id = draftIn(location);
      const draft = id === undefined ? undefined : drafts.find(id);
      if (draft !== undefined) {
        return { bytes: Buffer.from(draft.text), mtime: draft.savedAt };
      }
      if (location.view === 'new') {
        throw vscode.FileSystemError.FileNotFound(uri);
      }
      if (id === undefined) {
        return { bytes: await this.readonlyBytes(uri, location, use), mtime: 0 };
      }
      let shown = this.shown.get(id);
      if (shown === undefined || (use === 'read' && !this.isTypedIn(id))) {
        shown = toShown(kindNamed(location.reference.kind), await this.retrieve(location.reference, use));
        this.shown.set(id, shown);
      }
      return { bytes: Buffer.from(shown.base.text), mtime: shown.modifiedAt };
    } catch (error) {
      throw error instanceof vscode.FileSystemError ? error : vscode.FileSystemError.Unavailable(describeError(error));
    }
  }

  private async readonlyBytes(
    uri: vscode.Uri,
    { view, reference }: Exclude<ResourceLocation, { readonly view: 'new' }>,
    use: Use,
  ): Promise<Uint8Array> {
    if (view === 'content') {
      const bytes = this.contents.get(uri.toString()) ?? (await this.readContent(reference, use));
      this.keepContent(uri, bytes);
      return bytes;
    }
    const kind = kindNamed(reference.kind);
    const value = await this.retrieve(reference, use);
    switch (view) {
      case 'edit':
        return Buffer.from(toShown(kind, value).base.text);
      case 'json':
        return Buffer.from(toMaskedJson(kind.json?.(value) ?? value));
      case 'page': {
        const { client } = await this.flow.service.reach(reference.connection, use);
        const uses = await describeUses(kind, client, reference, this.flow.presentation());
        return Buffer.from(`${toPage(kind, value, reference.connection, this.flow.presentation(), uses)}\n`);
      }
    }
  }

  private async retrieve(reference: Reference, use: Use): Promise<Resource> {
    return retrieve(this.flow, await this.flow.service.reach(reference.connection, use), reference);
  }

  private async readContent(reference: Reference, use: Use): Promise<Uint8Array> {
    const { client } = await this.flow.service.reach(reference.connection, use);
    const bytes = await kindNamed(reference.kind).content?.(client, reference, new AbortController().signal);
    if (bytes === undefined) {
      throw new Error(vscode.l10n.t("This content can't be shown here."));
    }
    return bytes;
  }
}

/** Returns the ID of the draft that saving a document writes. `undefined` if the document is read-only. */
function draftIn(location: ResourceLocation): string | undefined {
  if (location.view === 'new') {
    return location.draftId;
  }
  const isEditable = location.view === 'edit' && kindNamed(location.reference.kind).definition?.isReadonly !== true;
  return isEditable ? draftIdOf(location.reference) : undefined;
}

function isOf(draftId: string, uri: vscode.Uri): boolean {
  const location = parseResourceUri(uri);
  return location !== undefined && location.view !== 'new' && draftIn(location) === draftId;
}

function locationOf(uri: vscode.Uri): ResourceLocation {
  const location = parseResourceUri(uri);
  if (location === undefined) {
    throw vscode.FileSystemError.FileNotFound(uri);
  }
  return location;
}

/** Returns whether two URIs show the same document. The last part of the path is only the label of the tab, and is ignored. */
export function isSameDocument(a: vscode.Uri, b: vscode.Uri): boolean {
  const folder = ({ path }: vscode.Uri) => path.slice(0, path.lastIndexOf('/'));
  return a.scheme === b.scheme && folder(a) === folder(b);
}

/** Returns the open document that a URI refers to. See `isSameDocument`. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(document => !document.isClosed && isSameDocument(document.uri, uri));
}

/** Returns the document of a resource as it is on the service. */
export function toShown(kind: ResourceKind, value: Resource): Shown {
  const { definition } = kind;
  if (definition === undefined) {
    throw new Error(`unreachable: ${kind.kind} has no document`);
  }
  const version = definition.version?.(value);
  const text = toDefinitionText(toDefinition(value, definition));
  return {
    base: version === undefined ? { text } : { version, text },
    name: kind.name(value),
    modifiedAt: Date.parse(value.updated_at ?? '') || (version ?? 0),
  };
}

/** Returns the name in the URI of a document, without its file extension. */
function nameInUri({ path }: vscode.Uri, ending: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return decode(name.endsWith(ending) ? name.slice(0, -ending.length) : name);
}

function fileName(location: ResourceLocation, name: string): string {
  const { kind } = location.view === 'new' ? location : location.reference;
  const stem = name || (location.view === 'new' ? kind : location.reference.id);
  switch (location.view) {
    case 'json':
      return `${stem}.json`;
    case 'page':
      return `${stem}.md`;
    case 'content':
      return stem;
    default:
      return `${toLabel(stem, 80)}.${kindNamed(kind).definition?.ending ?? kind}.json`;
  }
}
