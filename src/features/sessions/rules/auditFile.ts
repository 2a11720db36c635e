import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { undefinedIfMissing } from '../../../common/files/undefinedIfMissing';
import { redactValue } from '../../../common/text/redactValue';
import type { SessionReference } from '../../../contributions';
import { isRecord } from '../../../shared/isRecord';

/** One decision by a rule, as the audit file keeps it before it goes out. */
export interface RuleDecision extends SessionReference {
  /** RFC 3339. */
  readonly at: string;
  /** Event id of the ask. */
  readonly event: string;
  readonly tool: string;
  readonly server?: string;
  /** Redacted arguments of the call; if they are long, the start of their JSON as a string. Absent in files of earlier versions. */
  readonly input?: unknown;
  /** Of what was decided (`askFingerprint`). */
  readonly fingerprint: string;
  readonly rule: string;
  readonly ruleName: string;
  readonly result: 'allow' | 'deny';
}

/** What became of a decision. `notSent`: it was given up before anything went out. */
export type DecisionOutcome = 'stored' | 'refused' | 'unknown' | 'notSent';

/** A decision, with what became of it where that was written down. */
export interface AuditedDecision extends RuleDecision {
  readonly outcome?: DecisionOutcome;
  readonly problem?: string;
}

/** Most characters of arguments that the file keeps per decision. */
const longestInput = 20_000;

/** Returns arguments as the audit file keeps them: redacted and cut. */
export function toAuditedInput(input: unknown): unknown {
  const redacted = redactValue(input);
  const json = JSON.stringify(redacted);
  return json === undefined || json.length <= longestInput ? redacted : `${json.slice(0, longestInput)}…`;
}

/** Bytes at the end of the file that are read. */
const lately = 1_000_000;

/**
 * What rules decided on this machine: a file to which lines are only added, a JSON object each. A decision has a line before it goes out, on the
 * disk itself, and one with what became of it.
 */
export class AuditFile {
  readonly file: string;

  constructor(private readonly folder: string) {
    this.file = path.join(folder, 'audit.jsonl');
  }

  /**
   * Takes an ask for this process, so that it is decided once: of all windows and hosts on this machine one gets it, for good, whatever becomes of
   * it. Rejects when the disk does not say.
   */
  async claim(reference: SessionReference, event: string): Promise<boolean> {
    const folder = path.join(this.folder, 'claims');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = createHash('sha256').update(askKey(reference, event)).digest('hex');
    try {
      const file = await open(path.join(folder, name), 'wx', 0o600);
      await file.close();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
        return false;
      }
      throw error;
    }
  }

  /** Settles when the line is on the disk. Rejects when it is not sure to be: then nothing may be sent. */
  decided(decision: RuleDecision): Promise<void> {
    return this.append({ what: 'decision', ...decision });
  }

  /** Adds what became of a decision. */
  ended({ connection, sessionId, event }: RuleDecision, at: string, outcome: DecisionOutcome, problem: string | undefined): Promise<void> {
    return this.append({ what: 'outcome', at, connection, sessionId, event, outcome, ...(problem !== undefined && { problem }) });
  }

  /** The latest decisions, oldest first. Lines that cannot be read are passed over. */
  async latest(): Promise<readonly AuditedDecision[]> {
    const decisions = new Map<string, AuditedDecision>();
    for (const line of await this.lines()) {
      const { what, ...fields } = line;
      const key = askKey(fields as unknown as SessionReference, String(fields.event));
      const known = decisions.get(key);
      if (what === 'decision' && isDecision(fields)) {
        decisions.set(key, fields);
      } else if (what === 'outcome' && known !== undefined) {
        decisions.set(key, {
          ...known,
          outcome: fields.outcome as DecisionOutcome,
          ...(typeof fields.problem === 'string' && { problem: fields.problem }),
        });
      }
    }
    return [...decisions.values()];
  }

  private async append(line: object): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = await open(this.file, 'a+', 0o600);
    try {
      const { size } = await file.stat();
      const last = Buffer.alloc(1);
      // A line that a full disk cut ends here, and takes none of those that follow with it.
      const isCut = size > 0 && (await file.read(last, 0, 1, size - 1)).bytesRead === 1 && last[0] !== 0x0a;
      await file.writeFile(`${isCut ? '\n' : ''}${JSON.stringify(line)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  }

  private async lines(): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const file = await open(this.file, 'r').catch(undefinedIfMissing);
    if (file === undefined) {
      return [];
    }
    try {
      const { size } = await file.stat();
      const from = Math.max(0, size - lately);
      const bytes = Buffer.alloc(size - from);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      return bytes.toString('utf8', 0, bytesRead).split('\n').flatMap(toObject);
    } finally {
      await file.close();
    }
  }
}

/** Tells an ask from those of all other sessions. */
export function askKey({ connection, sessionId }: SessionReference, event: string): string {
  return JSON.stringify([connection, sessionId, event]);
}

/** A line of JSON, where it is an object. */
function toObject(line: string): readonly Readonly<Record<string, unknown>>[] {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? [value] : [];
  } catch {
    return [];
  }
}

const texts = ['connection', 'sessionId', 'at', 'event', 'tool', 'fingerprint', 'rule', 'ruleName'] as const;

function isDecision(fields: Readonly<Record<string, unknown>>): fields is Readonly<Record<string, unknown>> & AuditedDecision {
  return texts.every(name => typeof fields[name] === 'string') && (fields.result === 'allow' || fields.result === 'deny');
}
