import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { renameOver } from '../../../jsonl/files/publishing';
import { maskSecrets } from '../../../shared/maskedJson';
import { toObject } from './auditFile';
import type { RuledAsk } from './decideByRules';
import { undefinedIfMissing } from './ruleFiles';

/** An ask that was answered by hand on this machine. */
export interface RecordedAsk extends RuledAsk {
  /** RFC 3339. */
  readonly at: string;
  readonly event: string;
  readonly decided: 'allow' | 'deny';
}

/** Asks that are kept, and bytes of the file at which the oldest are dropped. */
const mostAsks = 500;
const mostBytes = 4_000_000;
/** The file is looked at after so many were added. */
const lookedAtEvery = 50;
/** Characters of arguments that are kept; of longer ones only that there were some. */
const longestInput = 20_000;

/**
 * What you decided by hand on this machine, the latest, so that a rule can be tried before it is switched on. Arguments stand in it as the log of
 * the session shows them, without the fields that carry secrets. Only the user of this machine may read it.
 */
export class AskRecord {
  readonly file: string;
  private added = 0;

  constructor(private readonly folder: string) {
    this.file = path.join(folder, 'asks.jsonl');
  }

  async add(ask: RecordedAsk): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const json = JSON.stringify(ask.input);
    const { input: _, ...rest } = ask;
    const kept = json !== undefined && json.length <= longestInput ? { ...rest, input: maskSecrets(ask.input) } : rest;
    await appendFile(this.file, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
    if (++this.added % lookedAtEvery === 1 || (await stat(this.file)).size > mostBytes) {
      await this.shorten();
    }
  }

  /** The latest, oldest first. */
  async read(): Promise<readonly RecordedAsk[]> {
    const text = await readFile(this.file, 'utf8').catch(undefinedIfMissing);
    return (text ?? '').split('\n').flatMap(toObject).filter(isRecorded).slice(-mostAsks);
  }

  /** Forgets all of them. */
  async clear(): Promise<void> {
    await rm(this.file, { force: true });
  }

  /** Drops the oldest where there are too many. */
  private async shorten(): Promise<void> {
    const all = await readFile(this.file, 'utf8');
    let lines = all.split('\n').filter(line => line !== '');
    if (lines.length <= mostAsks && all.length <= mostBytes / 2) {
      return;
    }
    lines = lines.slice(-mostAsks);
    while (lines.reduce((sum, line) => sum + line.length, 0) > mostBytes / 2) {
      lines = lines.slice(Math.ceil(lines.length / 4));
    }
    const temporary = path.join(this.folder, `${randomUUID()}.tmp`);
    await writeFile(temporary, lines.map(line => `${line}\n`).join(''), { mode: 0o600 });
    await renameOver(temporary, this.file);
  }
}

const texts = ['connection', 'service', 'session', 'tool', 'at', 'event'] as const;

function isRecorded(fields: Readonly<Record<string, unknown>>): fields is Readonly<Record<string, unknown>> & RecordedAsk {
  return texts.every(name => typeof fields[name] === 'string') && (fields.decided === 'allow' || fields.decided === 'deny');
}
