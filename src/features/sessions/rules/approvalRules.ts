import path from 'node:path';
import * as vscode from 'vscode';
import { showFailure, showInformation } from '../../../common/asking/notifications';
import { systemClock } from '../../../common/clock';
import { runCommand } from '../../../common/commands';
import { setContextKey } from '../../../common/contextKeys';
import type { Log } from '../../../common/log';
import type { SessionReference } from '../../../contributions';
import { nameOfTool } from '../../../shared/session/event';
import { toLabel } from '../../../shared/text';
import { type Connection, type Connections, mayUse, reach } from '../../connection';
import type { EmulatorHost } from '../../emulator';
import type { WaitingSession } from '../facts/needs';
import type { SessionPanels } from '../sessionPanels';
import { type AuditedDecision, AuditFile } from './auditFile';
import { type AnsweredAsk, answeredAsks, describeTrial, type ProposedRule, proposeRules, suggestRule } from './proposeRules';
import { findAsk, RuleDecider } from './ruleDecider';
import { RuleFiles } from './ruleFiles';

interface ApprovalRulesDependencies {
  readonly context: Pick<vscode.ExtensionContext, 'globalStorageUri'>;
  readonly connections: Connections;
  readonly emulator: Pick<EmulatorHost, 'running'>;
  readonly log: Log;
}

/**
 * Rules that answer asks for permission on this machine. Only the user creates rules and turns them on, never a workspace. No rule applies
 * in an untrusted workspace. The rules are stored in one folder of the extension's storage on this machine.
 */
export class ApprovalRules implements vscode.Disposable {
  readonly files: RuleFiles;
  readonly decisions: AuditFile;
  private readonly decider: RuleDecider;
  private readonly lifetime = new AbortController();
  private readonly reported = new Set<string>();

  constructor(
    private readonly deps: ApprovalRulesDependencies,
    readonly panels: Pick<SessionPanels, 'upToDate' | 'answering'>,
    /** `decided` is called with each decision, and again once its outcome is known. */
    private readonly facts: { waiting(): readonly WaitingSession[]; decided(decision: AuditedDecision): void },
  ) {
    const { connections, context, log } = deps;
    const folder = path.join(context.globalStorageUri.fsPath, 'approvalRules');
    this.files = new RuleFiles(path.join(folder, 'rules'), () => void this.decider.rulesChanged());
    this.decisions = new AuditFile(folder);
    this.decider = new RuleDecider({
      rules: this.files,
      audit: this.decisions,
      waiting: () => facts.waiting(),
      isTrusted: () => mayUse('change'),
      serviceOf: name => {
        const connection = connections.find(name);
        return connection === undefined || (connection.isEmulator && deps.emulator.running === undefined)
          ? undefined
          : serviceOf(connection);
      },
      sessions: async name => (await reach(connections, name, 'change')).client.sessions,
      clock: systemClock,
      t: vscode.l10n.t,
      lifetime: this.lifetime.signal,
      onDecided: decision => this.decided(decision),
      onDecidedElsewhere: () => this.readDecisions(),
      onTrouble: problem => this.reportOnce(problem),
      warn: message => log.warn(message),
    });
    this.decisions.onDidChange(() => setContextKey('managedAgents.approvalRulesUsed', this.decisions.size > 0));
    this.readDecisions();
  }

  /** Answers the open asks that a rule decides. Never rejects. */
  considerAll(): Promise<void> {
    return this.decider.considerAll();
  }

  /** Claims an ask that the user starts to answer. No rule answers the ask from then on. Resolves soon, even on errors. */
  async answering(reference: SessionReference, event: string): Promise<void> {
    try {
      if ((await this.files.read()).rules.some(({ isOn }) => isOn)) {
        await this.decisions.claim(reference, event);
      }
    } catch (error) {
      this.deps.log.warn(`Could not exclude an approval request from the rules: ${String(error)}`);
    }
  }

  /** Returns the answered asks of the open sessions, for trials of a rule. The asks are not recorded. */
  answeredAsks(): readonly AnsweredAsk[] {
    return this.panels.upToDate.flatMap(({ connection: name, sessionId }) => {
      const connection = this.deps.connections.find(name);
      const open = this.panels.answering({ connection: name, sessionId });
      return connection === undefined || open === undefined ? [] : answeredAsks(open.session, serviceOf(connection));
    });
  }

  /** Returns the rules that an ask offers, each with its scope and its trial on past answers. Rejects if the ask is no longer open. */
  async propose(reference: SessionReference, event: string): Promise<readonly (ProposedRule & { readonly trial: string })[]> {
    const { connection, client } = await reach(this.deps.connections, reference.connection, 'read');
    const found = await findAsk(client.sessions, { ...reference, service: serviceOf(connection), event }, this.lifetime.signal);
    if (found === undefined) {
      throw new Error(vscode.l10n.t("Can't create a rule from this call."));
    }
    const proposed = proposeRules(found.ask, found.agentName, vscode.l10n.t);
    return proposed.map(({ rule, scope }) => ({ rule, scope, trial: describeTrial(rule, this.answeredAsks(), vscode.l10n.t) }));
  }

  /** Suggests a rule for a reading tool whose calls were nearly always allowed, with its scope. */
  async suggest(): Promise<ReturnType<typeof suggestRule>> {
    return suggestRule(this.answeredAsks(), (await this.files.read()).rules, vscode.l10n.t);
  }

  /** Turns off the rule that decided last. The answer of the rule can't be undone. */
  async undo(): Promise<void> {
    await this.decisions.read();
    const { last } = this.decisions;
    if (last === undefined) {
      void showInformation(vscode.l10n.t('No rule has been applied yet.'));
      return;
    }
    const isThere = await this.files.switch(last.rule, false);
    const off = isThere
      ? vscode.l10n.t('The rule "{0}" is turned off.', toLabel(last.ruleName))
      : vscode.l10n.t('{0} not found', toLabel(last.ruleName));
    await this.notify(`${off} ${vscode.l10n.t("Its last decision can't be undone: {0}", this.describe(last))}`, last);
  }

  dispose(): void {
    this.lifetime.abort();
    this.decisions.dispose();
  }

  private decided(decision: AuditedDecision): void {
    this.decisions.put(decision);
    this.facts.decided(decision);
    const words = this.describe(decision);
    this.deps.log.info(words);
    if (decision.outcome === undefined) {
      return;
    }
    const rule = `${decision.rule} ${decision.outcome}`;
    if (this.reported.has(rule)) {
      vscode.window.setStatusBarMessage(toLabel(words), 5000);
    } else {
      this.reported.add(rule);
      void this.notify(words, decision);
    }
  }

  private async notify(words: string, { connection, sessionId, rule, outcome }: AuditedDecision): Promise<void> {
    const [open, off] = [vscode.l10n.t('Open Session'), vscode.l10n.t('Turn Off Rule')];
    const isOn = (await this.files.read()).rules.some(each => each.id === rule && each.isOn);
    const show = outcome === 'stored' ? showInformation<string> : showFailure<string>;
    const answer = await show(words, open, ...(isOn ? [off] : []));
    if (answer === open) {
      await runCommand('managedAgents.session.open', { connection, sessionId });
    } else if (answer === off) {
      await this.files.switch(rule, false);
    }
  }

  private describe(decision: AuditedDecision): string {
    const { result, outcome, problem = '' } = decision;
    const [rule, tool, session] = [decision.ruleName, nameOfTool(decision), decision.sessionId].map(name => toLabel(name, 80));
    const did =
      result === 'allow'
        ? vscode.l10n.t('The rule "{0}" allowed {1} in session {2}.', rule ?? '', tool ?? '', session ?? '')
        : vscode.l10n.t('The rule "{0}" denied {1} in session {2}.', rule ?? '', tool ?? '', session ?? '');
    switch (outcome) {
      case 'refused':
      case 'notSent':
        return vscode.l10n.t('The rule "{0}" couldn\'t answer {1} in session {2}: {3}', rule ?? '', tool ?? '', session ?? '', problem);
      case 'unknown':
        return `${did} ${problem}`;
      default:
        return did;
    }
  }

  private readDecisions(): void {
    this.decisions.read().catch(error => this.deps.log.warn(`The audit file of rules could not be read: ${String(error)}`));
  }

  private reportOnce(problem: string): void {
    this.deps.log.warn(problem);
    if (!this.reported.has(problem)) {
      this.reported.add(problem);
      void showFailure(problem);
    }
  }
}

/**
 * Returns the address that a rule stores for a connection. For the emulator, this is `emulator`, because its port changes at each start.
 */
export function serviceOf({ isEmulator, baseUrl }: Pick<Connection, 'isEmulator' | 'baseUrl'>): string {
  return isEmulator ? 'emulator' : baseUrl;
}
