import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { Emitter } from '../../../common/emitter';
import { undefinedIfMissing } from '../../../common/files/undefinedIfMissing';
import { redactValue } from '../../../common/text/redactValue';
import type { SessionReference } from '../../../contributions';
import { isRecord } from '../../../shared/isRecord';

/** A decision by a rule, as recorded in the audit file before it is sent. */
export interface RuleDecision extends SessionReference {
  /** Time in RFC 3339. */
  readonly at: string;
  readonly event: string;
  readonly tool: string;
  readonly server?: string;
  /** Redacted arguments of the call. Long arguments are stored as a string with the start of their JSON. Absent in older files. */
  readonly input?: unknown;
  readonly fingerprint: string;
  readonly rule: string;
  readonly ruleName: string;
  readonly result: 'allow' | 'deny';
}

/** Outcome of a decision. `notSent`: the decision was given up before it was sent. */
export type DecisionOutcome = 'stored' | 'refused' | 'unknown' | 'notSent';

/** A decision with its outcome, if the outcome was recorded. */
export interface AuditedDecision extends RuleDecision {
  readonly outcome?: DecisionOutcome;
  readonly problem?: string;
}

/** Maximum length of the arguments of a decision, in characters. */
const longestInput = 20_000;

/** Returns arguments as the audit file keeps them: redacted and cut. */
export function toAuditedInput(input: unknown): unknown {
  const redacted = redactValue(input);
  const json = JSON.stringify(redacted);
  return json === undefined || json.length <= longestInput ? redacted : `${json.slice(0, longestInput)}…`;
}

/** Maximum number of bytes to read from the end of the file. */
const maxReadBytes = 1_000_000;

/**
 * Audit file of the decisions by rules: JSON lines, append-only. A decision is flushed to disk before it is sent. Also holds the latest
 * decisions on this machine. Decisions of other windows are as of the last `read`.
 */
export class AuditFile {
  readonly file: string;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly decisions = new Map<string, AuditedDecision>();
  private readonly lastSent = new Map<string, AuditedDecision>();

  constructor(private readonly folder: string) {
    this.file = path.join(folder, 'audit.jsonl');
  }

  /**
   * Claims an ask permanently. Returns true for exactly one caller among all windows and hosts on this machine. Rejects on a disk error.
   */
  async claim(reference: SessionReference, event: string): Promise<boolean> {
    return await claimEvent(path.join(this.folder, 'claims'), reference, event);
  }

  /** Appends a decision. Resolves once its line is flushed to the disk. If it rejects, nothing may be sent. */
  decided(decision: RuleDecision): Promise<void> {
    return this.append({ what: 'decision', ...decision });
  }

  ended({ connection, sessionId, event }: RuleDecision, at: string, outcome: DecisionOutcome, problem: string | undefined): Promise<void> {
    return this.append({ what: 'outcome', at, connection, sessionId, event, outcome, ...(problem !== undefined && { problem }) });
  }

  /** Returns the latest decisions, oldest first. Skips unreadable lines. */
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

  /** Number of decisions that this window knows. */
  get size(): number {
    return this.decisions.size;
  }

  /** The latest decision that this window knows. */
  get last(): AuditedDecision | undefined {
    let last: AuditedDecision | undefined;
    for (const decision of this.decisions.values()) {
      last = last !== undefined && Date.parse(last.at) > Date.parse(decision.at) ? last : decision;
    }
    return last;
  }

  /** Returns how many known decisions a rule made, sent or not. */
  countOf(rule: string): number {
    return this.count(decision => decision.rule === rule);
  }

  /**
   * Returns the names of the rules whose decisions in a session were or may have been sent, by event ID. `undefined` if there are no such
   * decisions.
   */
  namesIn({ connection, sessionId }: SessionReference): Readonly<Record<string, string>> | undefined {
    const names: [string, string][] = [];
    for (const decision of this.decisions.values()) {
      if (decision.connection === connection && decision.sessionId === sessionId && isSent(decision)) {
        names.push([decision.event, decision.ruleName]);
      }
    }
    return names.length === 0 ? undefined : Object.fromEntries(names);
  }

  /** Returns the last decision in a session that was sent, or may have been. */
  lastIn({ connection, sessionId }: SessionReference): AuditedDecision | undefined {
    return this.lastSent.get(askKey({ connection, sessionId }, ''));
  }

  find(reference: SessionReference, event: string): AuditedDecision | undefined {
    const decision = this.decisions.get(askKey(reference, event));
    return decision !== undefined && isSent(decision) ? decision : undefined;
  }

  /** Returns how many decisions since `moment`, in milliseconds since 1970, were sent or may have been. */
  countSince(moment: number): number {
    return this.count(decision => isSent(decision) && Date.parse(decision.at) >= moment);
  }

  private count(counts: (decision: AuditedDecision) => boolean): number {
    let count = 0;
    for (const decision of this.decisions.values()) {
      count += counts(decision) ? 1 : 0;
    }
    return count;
  }

  /** Reads the decisions of other windows. Rejects if the file can't be read. */
  async read(): Promise<void> {
    for (const decision of await this.latest()) {
      const key = askKey(decision, decision.event);
      if (this.decisions.get(key)?.outcome === undefined) {
        this.keep(decision);
      }
    }
    this.changed.fire();
  }

  put(decision: AuditedDecision): void {
    this.keep(decision);
    this.changed.fire();
  }

  private keep(decision: AuditedDecision): void {
    this.decisions.set(askKey(decision, decision.event), decision);
    const last = this.lastIn(decision);
    if (isSent(decision) && (last === undefined || Date.parse(last.at) <= Date.parse(decision.at))) {
      this.lastSent.set(askKey(decision, ''), decision);
    }
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async append(line: object): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = await open(this.file, 'a+', 0o600);
    try {
      const { size } = await file.stat();
      const last = Buffer.alloc(1);
      // Ends a line that a full disk cut off, so that it doesn't spoil the next line.
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
      const from = Math.max(0, size - maxReadBytes);
      const bytes = Buffer.alloc(size - from);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
      return bytes.toString('utf8', 0, bytesRead).split('\n').flatMap(toObject);
    } finally {
      await file.close();
    }
  }
}

/** Creates the claim file of an event in a folder. Returns true for exactly one of all windows. Rejects if the disk fails. */
export async function claimEvent(folder: string, reference: SessionReference, event: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = createHash('sha256').update(askKey(reference, event)).digest('hex');
  try {
    await (await open(path.join(folder, name), 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

/** Returns a key for an ask that is unique over all sessions. */
export function askKey({ connection, sessionId }: SessionReference, event: string): string {
  return JSON.stringify([connection, sessionId, event]);
}

/** Parses a line. Returns an empty array if it is not a JSON object. */
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

/** Returns whether the service has the decision, or may have it. */
function isSent({ outcome }: AuditedDecision): boolean {
  return outcome === 'stored' || outcome === 'unknown';
}
