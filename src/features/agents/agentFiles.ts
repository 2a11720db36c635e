import * as vscode from 'vscode';
import type { Agent } from '../../client/schemas/agents';
import { ReadonlyDocuments } from '../../common/documents/readonlyDocuments';
import { describeError } from '../../common/text/describeError';
import { type AgentDraft, type AgentDrafts, draftIdOf } from './agentDrafts';
import type { AgentService } from './agentService';
import { toAgentText } from './agentText';
import { type AgentPlace, parseAgentUri, toAgentUri } from './agentUri';

interface Shown {
  /** The latest version when it was read. */
  readonly base: { readonly version: number; readonly text: string };
  readonly name: string;
  /** When the service made that version, milliseconds since 1970. */
  readonly madeAt: number;
}

/**
 * Agents as files of VS Code: the latest version of each can be edited, and saving keeps a draft on this machine; the versions can
 * be read. Nothing is published by saving.
 */
export class AgentFiles {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private readonly shown = new Map<string, Shown>();
  /** Agents that the user asked for now: reading them is no act by itself. */
  private readonly asked = new Set<string>();
  private snapshots: ReadonlyDocuments | undefined;
  readonly onDidChangeFile = this.changed.event;

  constructor(
    private readonly service: AgentService,
    private readonly drafts: AgentDrafts,
  ) {}

  /** A text as it stands now, to read beside others. */
  snapshot(name: string, text: string): vscode.Uri {
    this.snapshots ??= new ReadonlyDocuments('managed-agents-draft', () => '');
    return this.snapshots.create(name, text);
  }

  dispose(): void {
    this.snapshots?.dispose();
    this.changed.dispose();
  }

  /** The address of a document: the one under which it is open already, whatever the agent was called then. */
  uriOf(place: AgentPlace, name: string): vscode.Uri {
    const uri = toAgentUri(place, name);
    const folder = folderOf(uri);
    const open = vscode.workspace.textDocuments.find(document => document.uri.scheme === uri.scheme && folderOf(document.uri) === folder);
    return open !== undefined && !open.isClosed ? open.uri : uri;
  }

  /** Opens a document because the user asked for it. */
  async open(place: AgentPlace, name: string, options: vscode.TextDocumentShowOptions = {}): Promise<vscode.TextEditor> {
    const uri = this.uriOf(place, name);
    this.asked.add(uri.path);
    try {
      return await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false, ...options });
    } finally {
      this.asked.delete(uri.path);
    }
  }

  /** The version and text that the draft or the open document of an agent was begun from. */
  baseOf(connection: string, agentId: string): { readonly version: number; readonly text: string } | undefined {
    const id = draftIdOf(connection, agentId);
    return this.drafts.find(id)?.base ?? this.shown.get(id)?.base;
  }

  /** Takes in the latest version of an agent as just seen; a document without a draft then shows it. */
  see(connection: string, agent: Agent): void {
    const id = draftIdOf(connection, agent.id);
    const known = this.shown.get(id);
    // What is being typed was begun from the version that was shown: it stays the base until it is saved.
    if (known !== undefined && known.base.version !== agent.version && !isTypedIn(connection, agent.id)) {
      this.shown.set(id, toShown(agent));
      if (this.drafts.find(id) === undefined) {
        this.touch(connection, agent.id);
      }
    }
  }

  /** Lets open documents of an agent be read again. */
  touch(connection: string, agentId: string): void {
    const uris = vscode.workspace.textDocuments.flatMap(({ uri }) => {
      const place = parseAgentUri(uri);
      return place?.kind === 'agent' && place.connection === connection && place.agentId === agentId ? [uri] : [];
    });
    this.changed.fire(uris.map(uri => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const place = this.placeOf(uri);
    const { text, mtime } = await this.read(uri, place);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime,
      size: Buffer.byteLength(text),
      ...(place.kind === 'version' ? { permissions: vscode.FilePermission.Readonly } : {}),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return Buffer.from((await this.read(uri, this.placeOf(uri))).text);
  }

  /** Keeps what was saved as a draft. What equals the version it was begun from is no draft. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const place = this.placeOf(uri);
    if (place.kind === 'version') {
      throw vscode.FileSystemError.NoPermissions(uri);
    }
    const text = Buffer.from(content).toString('utf8');
    await this.drafts.load();
    const id = place.kind === 'new' ? place.draftId : draftIdOf(place.connection, place.agentId);
    const old = this.drafts.find(id);
    const seen = this.shown.get(id);
    const base = old?.base ?? seen?.base;
    if (place.kind === 'agent' && base?.text === text) {
      await this.drafts.remove(id);
    } else {
      const name = old?.name ?? seen?.name ?? nameOf(uri);
      const identity = place.kind === 'agent' ? { agentId: place.agentId } : {};
      await this.drafts.save({
        id,
        connection: place.connection,
        ...identity,
        name,
        text,
        savedAt: Date.now(),
        ...(base === undefined ? {} : { base }),
      });
    }
    this.changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  private placeOf(uri: vscode.Uri): AgentPlace {
    const place = parseAgentUri(uri);
    if (place === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return place;
  }

  private async read(uri: vscode.Uri, place: AgentPlace): Promise<{ readonly text: string; readonly mtime: number }> {
    await this.drafts.load();
    const byItself = !this.asked.has(uri.path);
    try {
      switch (place.kind) {
        case 'version':
          return { text: toAgentText(await this.service.version(place.connection, place.agentId, place.version, byItself)), mtime: 0 };
        case 'new':
          return fromDraft(this.drafts.find(place.draftId), uri);
        case 'agent':
          return await this.readAgent(place, byItself);
      }
    } catch (error) {
      throw error instanceof vscode.FileSystemError ? error : vscode.FileSystemError.Unavailable(describeError(error));
    }
  }

  private async readAgent({ connection, agentId }: AgentPlace & { kind: 'agent' }, byItself: boolean) {
    const id = draftIdOf(connection, agentId);
    const draft = this.drafts.find(id);
    if (draft !== undefined) {
      return { text: draft.text, mtime: draft.savedAt };
    }
    let shown = this.shown.get(id);
    if (shown === undefined || (!byItself && !isTypedIn(connection, agentId))) {
      shown = toShown(await this.service.latest({ connection, agentId }, byItself));
      this.shown.set(id, shown);
    }
    return { text: shown.base.text, mtime: shown.madeAt };
  }
}

function toShown(agent: Agent): Shown {
  const version = agent.version ?? 0;
  return {
    base: { version, text: toAgentText(agent) },
    name: agent.name ?? agent.id,
    madeAt: Date.parse(agent.updated_at ?? '') || version,
  };
}

function fromDraft(draft: AgentDraft | undefined, uri: vscode.Uri) {
  if (draft === undefined) {
    throw vscode.FileSystemError.FileNotFound(uri);
  }
  return { text: draft.text, mtime: draft.savedAt };
}

/** Whether a document of an agent holds what is not saved. */
function isTypedIn(connection: string, agentId: string): boolean {
  return vscode.workspace.textDocuments.some(({ uri, isDirty }) => {
    const place = isDirty ? parseAgentUri(uri) : undefined;
    return place?.kind === 'agent' && place.connection === connection && place.agentId === agentId;
  });
}

function folderOf({ path }: vscode.Uri): string {
  return path.slice(0, path.lastIndexOf('/'));
}

function nameOf(uri: vscode.Uri): string {
  return decodeURIComponent(uri.path.slice(uri.path.lastIndexOf('/') + 1)).replace(/\.agent\.json$/, '');
}
