import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Event } from 'vscode';
import { Emitter } from '../../common/emitter';
import { WholeFile } from '../../jsonl/files/wholeFile';

/** What the user wrote and has not published. */
export interface AgentDraft {
  readonly id: string;
  readonly connection: string;
  /** Absent for an agent that the service does not have yet. */
  readonly agentId?: string;
  /** Name of the agent when the draft was begun, for lists. */
  readonly name: string;
  /** Version it was begun from, and that one's document. */
  readonly base?: { readonly version: number; readonly text: string };
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
}

/** The drafts of this machine, a file each. What was saved is there after a restart; a file that cannot be read is left alone. */
export class AgentDrafts {
  private readonly drafts = new Map<string, AgentDraft>();
  private readonly changed = new Emitter<AgentDraft>();
  private loading: Promise<void> | undefined;
  private writing: Promise<void> = Promise.resolve();

  /** Fires with a draft that was saved or removed. */
  readonly onDidChange: Event<AgentDraft> = this.changed.event;

  constructor(private readonly folder: string) {}

  /** Reads what earlier runs left; settles at once when that was done. */
  load(): Promise<void> {
    this.loading ??= this.read();
    return this.loading;
  }

  /** Those of one connection, as far as they were loaded. */
  of(connection: string): readonly AgentDraft[] {
    return [...this.drafts.values()].filter(draft => draft.connection === connection);
  }

  find(id: string): AgentDraft | undefined {
    return this.drafts.get(id);
  }

  /** Keeps a draft in place of an older one of the same id; settles when it is on the disk. */
  async save(draft: AgentDraft): Promise<void> {
    await this.load();
    await this.write(async () => {
      await mkdir(this.folder, { recursive: true });
      const file = await WholeFile.create(this.fileOf(draft.id));
      try {
        await file.appendAll([Buffer.from(JSON.stringify(draft))]);
        await file.finish();
        await file.publish();
      } finally {
        await file.discard();
      }
    });
    this.drafts.set(draft.id, draft);
    this.changed.fire(draft);
  }

  async remove(id: string): Promise<void> {
    await this.load();
    const draft = this.drafts.get(id);
    if (draft !== undefined) {
      await this.write(() => rm(this.fileOf(id), { force: true }));
      this.drafts.delete(id);
      this.changed.fire(draft);
    }
  }

  private fileOf(id: string): string {
    return path.join(this.folder, `${id}.json`);
  }

  private write(work: () => Promise<void>): Promise<void> {
    const written = this.writing.then(work);
    this.writing = written.catch(() => {});
    return written;
  }

  private async read(): Promise<void> {
    const names = await readdir(this.folder).catch(() => []);
    for (const name of names.filter(file => file.endsWith('.json'))) {
      const draft = parseDraft(await readFile(path.join(this.folder, name), 'utf8').catch(() => ''));
      if (draft !== undefined && `${draft.id}.json` === name) {
        this.drafts.set(draft.id, draft);
      }
    }
  }
}

/** The id of the one draft that an agent can have. */
export function draftIdOf(connection: string, agentId: string): string {
  return createHash('sha256').update(`${connection}\n${agentId}`).digest('hex').slice(0, 32);
}

/** An id for the draft of an agent that the service does not have. */
export function newDraftId(): string {
  return randomUUID();
}

function parseDraft(text: string): AgentDraft | undefined {
  try {
    const { id, connection, agentId, name, base, text: words, savedAt } = JSON.parse(text) as Partial<Record<keyof AgentDraft, unknown>>;
    const { version, text: baseText } = (base ?? {}) as { version?: unknown; text?: unknown };
    if (typeof id !== 'string' || typeof connection !== 'string' || typeof name !== 'string' || typeof words !== 'string') {
      return undefined;
    }
    return {
      id,
      connection,
      name,
      text: words,
      savedAt: typeof savedAt === 'number' ? savedAt : 0,
      ...(typeof agentId === 'string' ? { agentId } : {}),
      ...(typeof version === 'number' && typeof baseText === 'string' ? { base: { version, text: baseText } } : {}),
    };
  } catch {
    return undefined;
  }
}
