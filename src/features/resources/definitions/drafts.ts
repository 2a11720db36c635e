import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Event } from 'vscode';
import { Emitter } from '../../../common/emitter';
import { WholeFile } from '../../../jsonl/files/wholeFile';

/** What a draft was begun from: the document as the service had it then, and its version where there are versions. */
export interface DraftBase {
  readonly version?: number;
  readonly text: string;
}

/** What the user wrote and has not published. */
export interface Draft {
  readonly id: string;
  readonly connection: string;
  /** What it is called, as it was when the draft was begun, for lists. */
  readonly name: string;
  /** Absent for what the service does not have yet. */
  readonly base?: DraftBase;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
}

/** The drafts of this machine, a file each. What was saved is there after a restart; a file that cannot be read is left alone. */
export class Drafts<D extends Draft> {
  private readonly drafts = new Map<string, D>();
  private readonly changed = new Emitter<D>();
  private loading: Promise<void> | undefined;
  private writing: Promise<void> = Promise.resolve();

  /** Fires with a draft that was saved or removed. */
  readonly onDidChange: Event<D> = this.changed.event;

  constructor(
    private readonly folder: string,
    /** Undefined for a text that is no draft. */
    private readonly parse: (text: string) => D | undefined,
  ) {}

  /** Reads what earlier runs left; settles at once when that was done. */
  load(): Promise<void> {
    this.loading ??= this.read();
    return this.loading;
  }

  /** Those of one connection, as far as they were loaded. */
  of(connection: string): readonly D[] {
    return [...this.drafts.values()].filter(draft => draft.connection === connection);
  }

  find(id: string): D | undefined {
    return this.drafts.get(id);
  }

  /** Keeps a draft in place of an older one of the same id; settles when it is on the disk. */
  async save(draft: D): Promise<void> {
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
      const draft = this.parse(await readFile(path.join(this.folder, name), 'utf8').catch(() => ''));
      if (draft !== undefined && `${draft.id}.json` === name) {
        this.drafts.set(draft.id, draft);
      }
    }
  }
}

/** The id of the one draft that a thing can have, by the words that name it. */
export function draftIdOf(...names: readonly string[]): string {
  return createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 32);
}

/** An id for the draft of what the service does not have. */
export function newDraftId(): string {
  return randomUUID();
}

/** What every draft has, out of a parsed file; undefined when it has not. */
export function parseDraft(value: unknown): Draft | undefined {
  const { id, connection, name, base, text, savedAt } = (value ?? {}) as Partial<Record<keyof Draft, unknown>>;
  if (typeof id !== 'string' || typeof connection !== 'string' || typeof name !== 'string' || typeof text !== 'string') {
    return undefined;
  }
  const { version, text: baseText } = (base ?? {}) as { readonly version?: unknown; readonly text?: unknown };
  const begun = typeof baseText === 'string' ? { base: { text: baseText, ...(typeof version === 'number' ? { version } : {}) } } : {};
  return { id, connection, name, text, savedAt: typeof savedAt === 'number' ? savedAt : 0, ...begun };
}

/** The value of a JSON text; undefined for any other. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
