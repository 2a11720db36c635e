import type { Event } from 'vscode';
import { Emitter } from '../../../common/emitter';
import type { SessionReference } from '../../../contributions';
import { type AuditedDecision, type AuditFile, askKey } from './auditFile';

/** What rules decided on this machine lately, for whoever shows or counts it. */
export interface DecisionsByRules {
  /** Oldest first. */
  readonly all: readonly AuditedDecision[];
  /** Names of the rules that decided in a session, by the event ids of the asks; those that went out or may have. */
  namesIn(reference: SessionReference): Readonly<Record<string, string>>;
  /** Returns the latest decision in a session that was sent, or may have been. */
  lastIn(reference: SessionReference): AuditedDecision | undefined;
  /** Returns the decision about an ask if it was sent, or may have been. */
  find(reference: SessionReference, event: string): AuditedDecision | undefined;
  /** How many went out, or may have, since a moment, milliseconds since 1970. */
  countSince(moment: number): number;
  readonly onDidChange: Event<void>;
}

/** The decisions of this window, and those of others as far as the audit file was read. */
export class DecisionLog implements DecisionsByRules {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly decisions = new Map<string, AuditedDecision>();
  /** Latest sent decision of each session. */
  private readonly latest = new Map<string, AuditedDecision>();

  constructor(private readonly audit: Pick<AuditFile, 'latest'>) {}

  get all(): readonly AuditedDecision[] {
    return [...this.decisions.values()];
  }

  namesIn({ connection, sessionId }: SessionReference): Readonly<Record<string, string>> {
    const own = this.all.filter(each => each.connection === connection && each.sessionId === sessionId && isSent(each));
    return Object.fromEntries(own.map(({ event, ruleName }) => [event, ruleName]));
  }

  lastIn({ connection, sessionId }: SessionReference): AuditedDecision | undefined {
    return this.latest.get(askKey({ connection, sessionId }, ''));
  }

  find(reference: SessionReference, event: string): AuditedDecision | undefined {
    const decision = this.decisions.get(askKey(reference, event));
    return decision !== undefined && isSent(decision) ? decision : undefined;
  }

  countSince(moment: number): number {
    return this.all.filter(each => isSent(each) && Date.parse(each.at) >= moment).length;
  }

  /** Reads what other windows wrote down. Rejects when the file cannot be read. */
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

/** Whether the service has it, or may have it. */
function isSent({ outcome }: AuditedDecision): boolean {
  return outcome === 'stored' || outcome === 'unknown';
}
