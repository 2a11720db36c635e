import path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../common/clock';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import type { Lazy } from '../../../common/lazy';
import type { SessionReference } from '../../../contributions';
import { mayUse, reach } from '../../connection';
import type { Needs } from '../facts/needs';
import type { SessionFacts } from '../facts/sessionFacts';
import { Conversation } from '../live/conversation';
import { SessionAccess } from '../live/sessionAccess';
import { PartOpener } from '../panel/parts/partOpener';
import { type ApprovalRules, PanelRules } from '../rules/approvalRules';
import type { DecisionLog } from '../rules/auditFile';
import type { SessionPanels } from '../sessionPanels';
import type { SessionsDependencies } from '../sessionsDependencies';
import { AskedSession } from './askedSession';
import { AskSources, type ReadSource } from './askSources';
import type { DismissedQuestions } from './deskQuestions';
import { InboxDesk } from './inboxDesk';
import { InboxPanel } from './inboxPanel';

export interface InboxDependencies extends SessionsDependencies {
  readonly panels: SessionPanels;
  readonly rules: Lazy<ApprovalRules>;
  readonly waiting: Needs;
  readonly dismissed: Pick<DismissedQuestions, 'has' | 'add'>;
  readonly watched: () => string;
  readonly isFindingOut: () => boolean;
  /** Returns the number of known sessions if there are others, which are older. Returns `undefined` if all are known. */
  readonly newest: () => number | undefined;
  readonly openSession: (reference: SessionReference, eventId: string) => Promise<void>;
  /** Starts a poll for sessions that need the user. */
  readonly poll: () => void;
  /** Called with the number of requests that the user didn't ask for. */
  readonly onRead: (requests: number) => void;
  readonly facts: SessionFacts;
  readonly onGone: (reference: SessionReference) => void;
}

const suggestedKey = 'managedAgents.suggestedRules';
/** Period over which decisions by rules are counted, in milliseconds. */
const dayMs = 24 * 60 * 60 * 1000;

/** The inbox of this window: one panel, created on request or restored after a reload. */
export class Inbox implements vscode.Disposable {
  private readonly lifetime = new AbortController();
  private readonly documents = new ReadonlyDocuments('managed-agents-inbox', () =>
    vscode.l10n.t('This document has expired. Run the command again.'),
  );
  private readonly parts: PartOpener;
  private readonly postponed = new Set<string>();
  private open: InboxPanel | undefined;

  constructor(private readonly deps: InboxDependencies) {
    const folder = (deps.context.storageUri ?? deps.context.globalStorageUri).fsPath;
    this.parts = new PartOpener(this.documents, path.join(folder, 'pictures', `inbox-${process.pid}`));
  }

  get isVisible(): boolean {
    return this.open?.panel.visible === true;
  }

  async show(ask?: { readonly reference: SessionReference; readonly eventId: string }): Promise<void> {
    await this.deps.connections.whenKnown;
    this.open?.panel.reveal();
    this.open ??= this.create(undefined);
    this.open.show(ask);
    this.deps.poll();
  }

  async restore(panel: vscode.WebviewPanel): Promise<void> {
    if (this.open !== undefined) {
      panel.dispose();
      return;
    }
    this.open = this.create(panel);
    await this.deps.connections.whenKnown;
    this.deps.poll();
  }

  dispose(): void {
    this.lifetime.abort();
    this.open?.panel.dispose();
    this.documents.dispose();
    void this.parts.dispose().catch(() => undefined);
  }

  private create(panel: vscode.WebviewPanel | undefined): InboxPanel {
    const { context, log, panels, waiting, watched, isFindingOut, newest, onRead } = this.deps;
    const { t } = vscode.l10n;
    const sources = new AskSources({
      waiting,
      open: reference => panels.answering(reference),
      onDidOpen: panels.onDidChange,
      create: (reference, onStale) => this.createSource(reference, onStale),
      clock: systemClock,
      warn: message => log.warn(message),
      onRead,
    });
    const canWrite = () => mayUse('change');
    const { postponed, lifetime } = this;
    const own = { sources, waiting, dismissed: this.deps.dismissed, postponed, canWrite, lifetime: lifetime.signal };
    let decisions: DecisionLog | undefined;
    let suggested: Awaited<ReturnType<ApprovalRules['suggest']>>;
    const suggestion = () =>
      suggested && {
        ...{ id: suggested.rule.id, scope: suggested.scope },
        trial: t('You allowed {0} of {1} {2} calls.', suggested.allowed, suggested.total, suggested.tool),
      };
    /** Suggests a rule once for each tool. */
    const suggest = async (rules: ApprovalRules) => {
      const offered = context.globalState.get<readonly string[]>(suggestedKey) ?? [];
      const found = await rules.suggest().catch(() => undefined);
      if (found !== undefined && !offered.includes(found.tool)) {
        suggested = found;
        desk.touch();
        await context.globalState.update(suggestedKey, [...offered, found.tool]);
      }
    };
    const byRules = () => decisions?.countSince(systemClock.now() - dayMs) ?? 0;
    const ruleOf = (reference: SessionReference, event: string) => decisions?.find(reference, event);
    const desk = new InboxDesk({ ...own, suggestion, watched, isFindingOut, newest, byRules, ruleOf, t, clock: systemClock });
    const opened = new InboxPanel({
      ...{ panel, extension: context.extensionUri, log, desk, sources, parts: this.parts },
      openSession: this.deps.openSession,
      manageRules: async () => (await import('../rules/manageRules')).manageRules(await this.deps.rules.get()),
      rules: () => this.deps.rules.get(),
      takeSuggestion: id => {
        const rule = suggested?.rule;
        suggested = undefined;
        desk.touch();
        return rule?.id === id ? rule : undefined;
      },
      // A hidden window may have missed changes.
      onVisibility: isVisible => isVisible && this.deps.poll(),
      onDispose: () => {
        this.open = undefined;
        listening?.dispose();
      },
    });
    let listening: vscode.Disposable | undefined;
    this.deps.rules.get().then(
      rules => {
        decisions = rules.decisions;
        listening = decisions.onDidChange(() => desk.touch());
        desk.touch();
        void suggest(rules);
      },
      error => log.warn(`The rules of this machine could not be loaded: ${String(error)}`),
    );
    return opened;
  }

  private createSource(reference: SessionReference, onStale: () => void): ReadSource {
    const { connections, emulator, log, facts, onGone } = this.deps;
    const { t } = vscode.l10n;
    const access = new SessionAccess({
      ...{ reference, connections, emulator, t },
      reach: async connection => (await reach(connections, connection, 'look')).client,
      isTrusted: () => mayUse('change'),
    });
    const session = new AskedSession({
      ...{ reference, t, onStale, facts, clock: systemClock },
      sessions: () => access.read(),
      onGone: () => onGone(reference),
    });
    const warn = (message: string) => log.warn(message);
    const rules = new PanelRules(session, this.deps.rules, warn);
    const actions = new Conversation({
      ...{ session, t, answers: rules, lifetime: this.lifetime.signal, warn },
      sessions: () => access.write(),
    });
    return { session, actions, rules };
  }
}
