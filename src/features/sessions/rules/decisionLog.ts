import { Emitter } from '../../../common/emitter';
import type { SessionReference } from '../../../contributions';
import { type AuditedDecision, type AuditFile, askKey } from './auditFile';

/** Latest decisions by rules on this machine: those of this window, and those of others as of the last read of the audit file. */
export class DecisionLog {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly decisions = new Map<string, AuditedDecision>();
  /** Latest sent decision of each session. */
  private readonly latest = new Map<string, AuditedDecision>();

  constructor(private readonly audit: Pick<AuditFile, 'latest'>) {}

  /** Oldest first. */
  get all(): readonly AuditedDecision[] {
    return [...this.decisions.values()];
  }

  /** Returns the names of the rules whose decisions in a session were sent, or may have been, by event id of the ask. */
  namesIn({ connection, sessionId }: SessionReference): Readonly<Record<string, string>> {
    const own = this.all.filter(each => each.connection === connection && each.sessionId === sessionId && isSent(each));
    return Object.fromEntries(own.map(({ event, ruleName }) => [event, ruleName]));
  }

  /** Returns the latest decision in a session that was sent, or may have been. */
  lastIn({ connection, sessionId }: SessionReference): AuditedDecision | undefined {
    return this.latest.get(askKey({ connection, sessionId }, ''));
  }

  /** Returns the decision about an ask if it was sent, or may have been. */
  find(reference: SessionReference, event: string): AuditedDecision | undefined {
    const decision = this.decisions.get(askKey(reference, event));
    return decision !== undefined && isSent(decision) ? decision : undefined;
  }

  /** Returns how many decisions were sent, or may have been, since a time in milliseconds since 1970. */
  countSince(moment: number): number {
    return this.all.filter(each => isSent(each) && Date.parse(each.at) >= moment).length;
  }

  /** Reads the decisions of other windows. Rejects if the file can't be read. */
  async read(): Promise<void> {
    for (const decision of await this.audit.latest()) {
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
      this.latest.set(askKey(decision, ''), decision);
    }
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** Returns whether the service has the decision, or may have it. */
function isSent({ outcome }: AuditedDecision): boolean {
  return outcome === 'stored' || outcome === 'unknown';
}
