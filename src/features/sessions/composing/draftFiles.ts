import type { Memento } from 'vscode';
import type { SessionReference } from '../../../contributions';
import { type AttachedAs, maxAttached } from '../../../shared/session/composing';
import { sessionKey } from '../facts/listedSession';

/** Attached file of a draft: its URI, and the way it is sent. */
export interface DraftFile {
  readonly uri: string;
  readonly as: AttachedAs;
}

/** Attached files in the composers of sessions, saved over window reloads. Limited in number. */
export class DraftFiles {
  constructor(
    private readonly memento: Pick<Memento, 'get' | 'update'>,
    private readonly reference: SessionReference,
  ) {}

  read(): readonly DraftFile[] {
    return this.all().find(([name]) => name === sessionKey(this.reference))?.[1] ?? [];
  }

  /** Saves the attached files. Removes the entry if there are none. */
  async write(files: readonly DraftFile[]): Promise<void> {
    const name = sessionKey(this.reference);
    const others = this.all().filter(([other]) => other !== name);
    const kept = files.length === 0 ? others : [[name, files] as const, ...others].slice(0, maxSessions);
    if (files.length > 0 || kept.length < this.all().length) {
      await this.memento.update(key, kept);
    }
  }

  private all(): readonly (readonly [string, readonly DraftFile[]])[] {
    const kept: unknown = this.memento.get(key);
    return Array.isArray(kept) ? kept.flatMap(toEntry) : [];
  }
}

const key = 'managedAgents.attachedFiles';
const maxSessions = 50;

function toEntry(value: unknown): readonly (readonly [string, readonly DraftFile[]])[] {
  const [name, files] = Array.isArray(value) ? (value as readonly unknown[]) : [];
  return typeof name === 'string' && Array.isArray(files) ? [[name, files.filter(isKept).slice(0, maxAttached)]] : [];
}

function isKept(value: unknown): value is DraftFile {
  const { uri, as } = (value ?? {}) as Partial<Record<keyof DraftFile, unknown>>;
  return typeof uri === 'string' && (as === 'text' || as === 'upload');
}
