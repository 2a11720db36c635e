import * as vscode from 'vscode';
import type { Memory, MemoryStore } from '../../../client/resources/memoryStores';
import type { ServiceClient } from '../../../client/serviceClient';
import { showInformation } from '../../../common/asking/notifications';
import { createDiagnostic, DocumentChecks } from '../../../common/documents/documentChecks';
import { AskedDocuments } from '../../../common/documents/documentFileSystem';
import { openDocumentOf } from '../../../common/documents/openDocumentOf';
import { describeError } from '../../../common/text/describeError';
import { folderOf, maxMemoryBytes, memoryPathProblem } from '../../../contract/memoryPath';
import type { Use } from '../../connection';
import { memories, storeIdOf } from '../kinds/memoryStores';
import { toConflict } from '../lists/resourceErrors';
import type { ResourceList, ResourceStore } from '../lists/resourceList';
import type { Service } from '../service';
import { MemoryAccess, type MemoryBases, type ReadMemory } from './memoryAccess';
import {
  describePathProblem,
  describeTooLarge,
  type MemoryLocation,
  memoryLocationOf,
  memoryScheme,
  parseUriPath,
  toUriPath,
} from './memoryLocation';

const { Directory, File } = vscode.FileType;
const { Changed, Created, Deleted } = vscode.FileChangeType;

/** Save that was refused because somebody else wrote the memory first. */
export interface RefusedSave {
  readonly uri: vscode.Uri;
  readonly base: ReadMemory | undefined;
  readonly mine: string;
  readonly theirs: ReadMemory;
}

type Operation<T> = (client: ServiceClient, location: MemoryLocation) => Promise<T>;

/**
 * File system of the memories of all stores. Saving a document sends its text with the hash of its base. Folders are derived from paths, so
 * a folder exists as long as it contains something.
 */
export class MemoryFiles {
  readonly access = new MemoryAccess();
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly archived = new Map<string, boolean>();
  readonly asked = new AskedDocuments();
  private readonly subscriptions: vscode.Disposable;
  readonly onDidChangeFile = this.changed.event;

  constructor(
    private readonly parts: { readonly service: Service; readonly store: ResourceStore; onRefused(refused: RefusedSave): Promise<void> },
  ) {
    const show = (document: vscode.TextDocument) => {
      if (document.uri.scheme === memoryScheme && !document.isDirty) {
        this.access.bases.noteShown(document.uri.path, document.getText());
      }
    };
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      vscode.workspace.onDidOpenTextDocument(show),
      vscode.workspace.onDidChangeTextDocument(({ document }) => show(document)),
      vscode.workspace.onDidCloseTextDocument(({ uri, isDirty }) => {
        // Changing the language of a document also closes it, even with unsaved edits.
        if (uri.scheme === memoryScheme && !isDirty) {
          this.access.bases.forget(uri.path);
        }
      }),
      new DocumentChecks({ name: memoryScheme, matches: ({ uri }) => uri.scheme === memoryScheme, find: findTooLarge, delay: 0 }),
      parts.store.onDidChange(() => {
        const events = changedDocuments(parts.store, this.access.bases);
        if (events.length > 0) {
          this.changed.fire(events);
        }
      }),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  /** Reports that memories of a store may have changed. */
  async touch({ connection, storeId }: Omit<MemoryLocation, 'path'>): Promise<void> {
    const uris = vscode.workspace.textDocuments.map(({ uri }) => uri).filter(({ scheme }) => scheme === memoryScheme);
    const own = uris.filter(uri => memoryLocationOf(uri).storeId === storeId && memoryLocationOf(uri).connection === connection);
    this.changed.fire(own.map(uri => ({ type: Changed, uri })));
    await refreshLists(this.parts.store, { connection, storeId });
  }

  stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return this.reading(uri, async (client, location) => {
      const found = await this.access.stat(client, location, uri.path);
      if (found === undefined) {
        throw vscode.FileSystemError.FileNotFound(uri);
      }
      if (found === 'folder') {
        return { type: Directory, ctime: 0, mtime: 0, size: 0 };
      }
      const { memory, mtime } = found;
      const permissions = (await this.isArchived(client, location)) ? { permissions: vscode.FilePermission.Readonly } : {};
      const ctime = Date.parse(memory.created_at ?? '') || 0;
      return { type: File, ctime, mtime, size: memory.content_size_bytes ?? 0, ...permissions };
    });
  }

  readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.reading(uri, async (client, location) => {
      const found = await this.access.read(client, location, uri.path);
      if (typeof found === 'object') {
        return Buffer.from(found.content);
      }
      throw found === 'folder' ? vscode.FileSystemError.FileIsADirectory(uri) : vscode.FileSystemError.FileNotFound(uri);
    });
  }

  readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    return this.reading(uri, async (client, location) => {
      const entries = new Map<string, vscode.FileType>();
      for (const { path = '', type } of await this.access.index.list(client, location)) {
        const own = toUriPath({ ...location, path: (path ?? '').replace(/\/$/, '') });
        const name = own.slice(own.lastIndexOf('/') + 1);
        // A path can be a memory and a folder. It is then listed as a file, so that its content can be opened.
        entries.set(name, type === 'memory_prefix' ? (entries.get(name) ?? Directory) : File);
      }
      return [...entries];
    });
  }

  async writeFile(uri: vscode.Uri, bytes: Uint8Array, options: { readonly create: boolean; readonly overwrite: boolean }): Promise<void> {
    const text = textOfMemory(bytes);
    await this.changing(uri, async (client, location) => {
      const wasThere = this.access.bases.baseOf(uri.path) !== undefined;
      const document = openDocumentOf(uri);
      // If an editor has this text, VS Code has already compared versions. VS Code overwrites a newer version only if the user chose to.
      const overwritesNewer = document?.isDirty === true && document.getText() === text;
      const result = await this.access.write(client, location, uri.path, text, { ...options, overwritesNewer });
      if (result.outcome === 'created' && wasThere) {
        void showInformation(vscode.l10n.t('{0} was deleted in the meantime, so it was saved as a new memory.', location.path));
      }
      switch (result.outcome) {
        case 'written':
        case 'created':
          this.report(location, { type: result.outcome === 'created' ? Created : Changed, uri });
          return;
        case 'exists':
          throw vscode.FileSystemError.FileExists(uri);
        case 'missing':
          throw vscode.FileSystemError.FileNotFound(uri);
        case 'folder':
          throw vscode.FileSystemError.FileIsADirectory(uri);
        case 'unchangeable':
          throw new Error(vscode.l10n.t("The service can't change {0}. Save it under another name.", location.path));
        case 'conflict':
          void this.parts.onRefused({ uri, base: result.base, mine: text, theirs: result.theirs });
          throw new Error(vscode.l10n.t('{0} has changed on the service', location.path));
      }
    });
  }

  delete(uri: vscode.Uri): Promise<void> {
    return this.changing(uri, async (client, location) => {
      switch (await this.access.delete(client, location, uri.path)) {
        case 'missing':
          throw vscode.FileSystemError.FileNotFound(uri);
        case 'folder':
          throw vscode.FileSystemError.NoPermissions(vscode.l10n.t("Folders can't be deleted. Delete their memories instead."));
        case 'deleted':
          this.report(location, { type: Deleted, uri });
      }
    });
  }

  rename(from: vscode.Uri, to: vscode.Uri, { overwrite }: { readonly overwrite: boolean }): Promise<void> {
    return this.changing(from, async (client, old) => {
      const wanted = memoryLocationOf(to);
      if (old.connection !== wanted.connection || old.storeId !== wanted.storeId) {
        throw vscode.FileSystemError.NoPermissions(vscode.l10n.t("A memory can't be moved to another store. Copy its text instead."));
      }
      const problem = memoryPathProblem(wanted.path);
      if (problem !== undefined) {
        throw new Error(describePathProblem(problem, vscode.l10n.t));
      }
      if ((await this.access.index.find(client, wanted)) !== undefined) {
        // Deleting the target and moving are separate requests. If the second failed, a memory would be lost.
        throw overwrite
          ? vscode.FileSystemError.NoPermissions(vscode.l10n.t('{0} already exists.', wanted.path))
          : vscode.FileSystemError.FileExists(to);
      }
      const moved = await this.access.rename(client, old, wanted, [from.path, to.path]);
      if (moved === undefined) {
        throw vscode.FileSystemError.FileNotFound(from);
      }
      if (moved === 'folder') {
        throw vscode.FileSystemError.NoPermissions(vscode.l10n.t("Folders can't be renamed. Rename their memories instead."));
      }
      this.report(old, { type: Deleted, uri: from });
      this.report(wanted, { type: Created, uri: to });
    });
  }

  private report(location: MemoryLocation, event: vscode.FileChangeEvent): void {
    this.changed.fire([event]);
    void refreshLists(this.parts.store, location);
  }

  private reading<T>(uri: vscode.Uri, work: Operation<T>): Promise<T> {
    return this.run(uri, this.asked.has(uri) ? 'read' : 'look', work);
  }

  private changing<T>(uri: vscode.Uri, work: Operation<T>): Promise<T> {
    return this.run(uri, 'change', work);
  }

  private async isArchived(client: ServiceClient, { connection, storeId }: MemoryLocation): Promise<boolean> {
    const listed = this.parts.store.find({ connection, kind: 'memoryStore', id: storeId }) as MemoryStore | undefined;
    const known = listed === undefined ? this.archived.get(storeId) : typeof listed.archived_at === 'string';
    if (known !== undefined) {
      return known;
    }
    const { data } = await client.memoryStores.retrieve(storeId);
    const isArchived = typeof data.archived_at === 'string';
    this.archived.set(storeId, isArchived);
    return isArchived;
  }

  /** Runs a file operation and turns its error into a message that VS Code shows. An error also clears the cached archive states. */
  private async run<T>(uri: vscode.Uri, use: Use, work: Operation<T>): Promise<T> {
    const location = memoryLocationOf(uri);
    try {
      return await work((await this.parts.service.reach(location.connection, use)).client, location);
    } catch (error) {
      if (error instanceof vscode.FileSystemError) {
        throw error;
      }
      this.archived.clear();
      throw vscode.FileSystemError.Unavailable(describeError(toConflict(error, location.path, vscode.l10n.t)));
    }
  }
}

/**
 * Returns file change events for memories that differ from the open documents in the current listing. Documents with unsaved edits are
 * skipped.
 */
function changedDocuments(store: ResourceStore, bases: Pick<MemoryBases, 'baseOf'>): vscode.FileChangeEvent[] {
  return vscode.workspace.textDocuments.flatMap(({ uri, isDirty, isClosed }) => {
    const location = uri.scheme === memoryScheme && !isDirty && !isClosed ? parseUriPath(uri.path) : undefined;
    const base = bases.baseOf(uri.path);
    const listed = location === undefined || base === undefined ? undefined : listedHash(store, location);
    return listed === undefined || listed === base?.content_sha256 ? [] : [{ type: listed === '' ? Deleted : Changed, uri }];
  });
}

/** Decodes the content of a memory. Throws an error with a message for the user if no service accepts it. */
function textOfMemory(bytes: Uint8Array): string {
  const tooLarge = describeTooLarge(bytes.byteLength, vscode.l10n.t, vscode.env.language);
  if (tooLarge !== undefined) {
    throw vscode.FileSystemError.Unavailable(tooLarge);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw vscode.FileSystemError.Unavailable(vscode.l10n.t('Save the file as UTF-8.'));
  }
}

/** Returns a diagnostic if the text of a memory is too large to be saved. */
function findTooLarge(document: vscode.TextDocument): readonly vscode.Diagnostic[] {
  const text = document.getText();
  // A UTF-16 code unit takes at most three bytes.
  const bytes = text.length * 3 > maxMemoryBytes ? Buffer.byteLength(text) : 0;
  const message = describeTooLarge(bytes, vscode.l10n.t, vscode.env.language);
  if (message === undefined) {
    return [];
  }
  const allowed = Buffer.from(text).subarray(0, maxMemoryBytes).toString('utf8').length;
  const range = new vscode.Range(document.positionAt(Math.min(allowed, text.length - 1)), document.positionAt(text.length));
  return [createDiagnostic(range, message, vscode.DiagnosticSeverity.Error)];
}

/** Refreshes the expanded lists of a store. */
async function refreshLists(store: ResourceStore, { connection, storeId }: Omit<MemoryLocation, 'path'>): Promise<void> {
  const lists = listsOf(store, connection, storeId).filter(list => list.isUnfolded);
  await Promise.all(lists.map(list => list.refresh()));
}

/**
 * Returns the listed hash of a memory. Returns '' if the memory's folder is fully listed without the memory, and `undefined` if the hash is
 * unknown.
 */
function listedHash(store: ResourceStore, { connection, storeId, path }: MemoryLocation): string | undefined {
  const folder = folderOf(path);
  const list = listsOf(store, connection, storeId).find(one =>
    folder === '/' ? one.parent?.kind !== memories.kind : one.parent?.id === `${folder}/`,
  )?.list;
  if (list === undefined || !list.isListed || list.problem !== undefined) {
    return undefined;
  }
  const found: Memory | undefined = list.items.map(item => item as Memory).find(item => item.path === path);
  return found === undefined ? (list.hasMore ? undefined : '') : (found.content_sha256 ?? undefined);
}

function listsOf(store: ResourceStore, connection: string, storeId: string): readonly ResourceList[] {
  return store.all().filter(list => list.kind === memories && list.connection === connection && storeIdOf(list.parent) === storeId);
}
