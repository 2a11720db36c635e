import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Event } from 'vscode';
import { Emitter } from '../../../common/emitter';
import type { Reference } from '../../../contributions';
import { WholeFile } from '../../../jsonl/files/wholeFile';
import { jsonOf } from '../../../shared/jsonOf';

/** Service state that a draft is based on: the document at that time, and its version if the kind has versions. */
export interface DraftBase {
  readonly version?: number;
  readonly text: string;
}

/** Unpublished edits of a resource. */
export interface Draft {
  readonly id: string;
  readonly connection: string;
  readonly kind: string;
  /** ID of the resource. `undefined` if the service does not have the resource yet. */
  readonly resourceId?: string;
  /** Display name when the draft was created, for lists. */
  readonly name: string;
  readonly base?: DraftBase;
  readonly text: string;
  /** Time of the last save, in milliseconds since 1970. */
  readonly savedAt: number;
}

/** Drafts on this machine, one file each. They survive a restart. A file that can't be read is left alone. */
export class Drafts {
  private readonly drafts = new Map<string, Draft>();
  private readonly changed = new Emitter<Draft>();
  private loading: Promise<void> | undefined;
  private writing: Promise<void> = Promise.resolve();

  readonly onDidChange: Event<Draft> = this.changed.event;

  constructor(private readonly folder: string) {}

  /** Loads the drafts of earlier runs. Further calls return the same promise. */
  load(): Promise<void> {
    this.loading ??= this.read();
    return this.loading;
  }

  of(connection: string): readonly Draft[] {
    return [...this.drafts.values()].filter(draft => draft.connection === connection);
  }

  find(id: string): Draft | undefined {
    return this.drafts.get(id);
  }

  /** Saves a draft, replacing an older draft with the same ID. Resolves when it is on disk. */
  async save(draft: Draft): Promise<void> {
    await this.load();
    await this.write(async () => {
      await mkdir(this.folder, { recursive: true });
      await WholeFile.write(this.fileOf(draft.id), JSON.stringify(draft));
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
      const draft = parseDraft(jsonOf(await readFile(path.join(this.folder, name), 'utf8').catch(() => '')));
      if (draft !== undefined && `${draft.id}.json` === name) {
        this.drafts.set(draft.id, draft);
      }
    }
  }
}

/** Returns the ID of the only draft that a resource can have. */
export function draftIdOf({ connection, kind, id }: Reference): string {
  // Drafts of agents keep the IDs from the time when only agents had drafts.
  const names = kind === 'agent' ? [connection, id] : [connection, kind, id];
  return createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 32);
}

/**
 * Reads a draft from a parsed file. Returns `undefined` if a required field is missing. Drafts from the time when only agents had drafts
 * name no kind.
 */
function parseDraft(value: unknown): Draft | undefined {
  const fields = (value ?? {}) as Partial<Record<keyof Draft | 'agentId', unknown>>;
  const { id, connection, kind = 'agent', agentId, resourceId = agentId, name, base, text, savedAt } = fields;
  if (![id, connection, kind, name, text].every(field => typeof field === 'string')) {
    return undefined;
  }
  const { version, text: baseText } = (base ?? {}) as { readonly version?: unknown; readonly text?: unknown };
  return {
    ...({ id, connection, kind, name, text } as Pick<Draft, 'id' | 'connection' | 'kind' | 'name' | 'text'>),
    ...(typeof resourceId === 'string' ? { resourceId } : {}),
    ...(typeof baseText === 'string' ? { base: { text: baseText, ...(typeof version === 'number' ? { version } : {}) } } : {}),
    savedAt: typeof savedAt === 'number' ? savedAt : 0,
  };
}
