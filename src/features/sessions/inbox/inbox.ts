import path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../common/clock';
import { combine } from '../../../common/disposables';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import { Lazy } from '../../../common/lazy';
import { Throttle } from '../../../common/lists/throttle';
import { PanelHost } from '../../../common/panels/panelHost';
import type { SessionReference } from '../../../contributions';
import { fromInboxSchema } from '../../../shared/inbox/fromInboxSchema';
import type { FromInbox, ToInbox } from '../../../shared/inbox/inboxProtocol';
import { toLabel } from '../../../shared/text';
import { mayUse, reach } from '../../connection';
import type { Needs } from '../facts/needs';
import type { SessionFacts } from '../facts/sessionFacts';
import { Conversation, type SendResult } from '../live/conversation';
import { SessionAccess } from '../live/sessionAccess';
import { openLink } from '../panel/parts/openLink';
import { findArguments, openAskedChange, PartOpener } from '../panel/parts/partOpener';
import { sendResultFile } from '../panel/parts/resultFile';
import type { ApprovalRules } from '../rules/approvalRules';
import type { ApprovalRule } from '../rules/ruleFiles';
import type { SessionPanels } from '../sessionPanels';
import type { SessionsDependencies } from '../sessionsDependencies';
import { viewTypes } from '../viewTypes';
import { AskedSession } from './askedSession';
import { AskSources, type ReadSource } from './askSources';
import type { DismissedQuestions } from './dismissedQuestions';
import { type DeskAsk, InboxDesk, type SearchState } from './inboxDesk';
import { idOfAsk } from './inboxEntries';

interface InboxDependencies extends SessionsDependencies {
  readonly panels: SessionPanels;
  readonly rules: Lazy<ApprovalRules>;
  readonly waiting: Needs;
  readonly dismissed: Pick<DismissedQuestions, 'has' | 'add'>;
  readonly search: () => SearchState;
  readonly openSession: (reference: SessionReference, eventId: string) => Promise<void>;
  /** Starts a poll for sessions that need the user. */
  readonly poll: () => void;
  /** Called with the number of requests that the user didn't ask for. */
  readonly onRead: (requests: number) => void;
  readonly facts: SessionFacts;
  readonly onGone: (reference: SessionReference) => void;
}

/** The inbox of this window: one panel, created on request or restored after a reload. */
export class Inbox implements vscode.Disposable {
  readonly lifetime = new AbortController();
  readonly parts: PartOpener;
  /** IDs of postponed asks, in the order of postponing. */
  readonly postponed = new Set<string>();
  private readonly documents = new ReadonlyDocuments('managed-agents-inbox');
  private open: InboxPanel | undefined;

  constructor(readonly deps: InboxDependencies) {
    const folder = (deps.context.storageUri ?? deps.context.globalStorageUri).fsPath;
    this.parts = new PartOpener(this.documents, path.join(folder, 'inboxPictures', String(process.pid)));
  }

  get isVisible(): boolean {
    return this.open?.panel.visible === true;
  }

  async show(ask?: { readonly reference: SessionReference; readonly eventId: string }): Promise<void> {
    await this.deps.connections.whenKnown;
    this.open?.panel.reveal();
    this.open ??= this.create();
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

  private create(panel?: vscode.WebviewPanel): InboxPanel {
    return new InboxPanel(this, panel, () => {
      this.open = undefined;
    });
  }
}

/** Storage key of the tools for which a rule was suggested. */
const suggestedKey = 'managedAgents.suggestedRules';

/** Webview panel of the inbox. Shows its desk while it is visible. */
class InboxPanel {
  private readonly host: PanelHost<FromInbox, ToInbox>;
  private readonly sources: AskSources;
  private readonly desk: InboxDesk;
  private readonly posting = new Throttle(() => this.postView());
  private posted = '';
  /** Item to show once the page is ready. */
  private toShow: { readonly id: string | undefined } | undefined;
  private proposed = new Map<string, ApprovalRule>();

  constructor(
    private readonly inbox: Inbox,
    restored: vscode.WebviewPanel | undefined,
    onDispose: () => void,
  ) {
    const { deps, postponed, lifetime } = inbox;
    const { context, log, panels, rules, waiting, dismissed, search, onRead } = deps;
    const warn = (message: string) => log.warn(message);
    this.sources = new AskSources({
      ...{ waiting, warn, onRead, clock: systemClock, onDidOpen: panels.onDidChange },
      open: reference => panels.answering(reference),
      create: (reference, onStale) => this.createSource(reference, onStale),
    });
    this.desk = new InboxDesk({
      ...{ sources: this.sources, waiting, dismissed, postponed, search, t: vscode.l10n.t, clock: systemClock },
      lifetime: lifetime.signal,
      canWrite: () => mayUse('change'),
      decisions: () => rules.current?.decisions,
    });
    const changes = this.desk.onDidChange(() => this.posting.ask());
    const decisions = new Lazy(async () => {
      const loaded = await rules.get();
      this.desk.touch();
      void this.suggest(loaded);
      return loaded.decisions.onDidChange(() => this.desk.touch());
    });
    this.host = new PanelHost<FromInbox, ToInbox>({
      ...{ panel: restored, extension: context.extensionUri, log, viewType: viewTypes.inbox, bundle: 'inbox' },
      ...{ title: vscode.l10n.t('Inbox'), schema: fromInboxSchema },
      onReady: () => {
        this.posted = '';
        this.postView();
      },
      onMessage: message => this.handle(message),
      onVisibility: isVisible => {
        this.sources.setVisible(isVisible);
        if (isVisible) {
          // Sessions may have changed while the inbox was hidden.
          deps.poll();
        }
      },
      onDispose: () => {
        combine(changes, decisions, this.posting, this.desk, this.sources).dispose();
        onDispose();
      },
    });
    this.host.setIcon('waiting');
    this.sources.setVisible(this.panel.visible);
    decisions.get().catch(error => warn(`The rules of this machine could not be loaded: ${String(error)}`));
  }

  get panel(): vscode.WebviewPanel {
    return this.host.panel;
  }

  /** Shows an ask, or the first item if no ask is given, and focuses its card. */
  show(ask: { readonly reference: SessionReference; readonly eventId: string } | undefined): void {
    this.toShow = { id: ask && idOfAsk(ask.reference, ask.eventId) };
    this.postView();
  }

  private async handle(message: Exclude<FromInbox, { readonly type: 'ready' }>): Promise<void> {
    const { desk, host } = this;
    const { deps, parts } = this.inbox;
    switch (message.type) {
      case 'confirm':
        return await this.confirm(message);
      case 'customResult':
        return await this.answer(message.clientId, desk.answer(message));
      case 'customResultFromFile': {
        const { source, eventId } = this.find(message.eventId);
        const sending = desk.send(message.eventId, () => sendResultFile(source.actions, message.clientId, eventId));
        return await this.answer(message.clientId, sending);
      }
      case 'reply':
        return await this.answer(message.clientId, desk.reply(message));
      case 'allowEqual':
        return await this.answer(message.clientId, desk.allowEqual(message));
      case 'loadPart':
        return await this.loadPart(message.key);
      case 'openPart': {
        const { source, eventId, entry } = this.find(message.key);
        const part = await findArguments(source.session, eventId, host.signal, vscode.l10n.t);
        if (typeof part === 'string') {
          throw new Error(part);
        }
        return await parts.open(part, `${toLabel(entry.ask.tool, 40)} input`, 'txt');
      }
      case 'openAskedChange': {
        const { source, eventId } = this.find(message.eventId);
        return await openAskedChange(source.session, parts, eventId, host.signal);
      }
      case 'makeRule': {
        const { source, eventId } = this.find(message.eventId);
        const proposed = await (await deps.rules.get()).propose(source.session.reference, eventId);
        this.proposed = new Map(proposed.map(({ rule }) => [rule.id, rule]));
        const rules = proposed.map(({ rule: { id }, scope, trial }) => ({ id, scope, trial }));
        return await host.send({ type: 'rules', eventId: message.eventId, rules });
      }
      case 'keepRule': {
        const rule = this.proposed.get(message.id) ?? desk.takeSuggestion(message.id);
        this.proposed.clear();
        return rule && (await (await deps.rules.get()).files.write(rule));
      }
      case 'dismissRule':
        return void desk.takeSuggestion();
      case 'openLink':
        return await openLink(message.href);
      case 'copyText':
        return await vscode.env.clipboard.writeText(message.text);
      case 'showRules':
        return await (await import('../rules/manageRules')).manageRules(await deps.rules.get());
      case 'interrupt':
        return await desk.interrupt(message.id);
      case 'notNow':
        return desk.postpone(message.id);
      case 'shown':
        return desk.setShown(message.id);
      case 'openSession': {
        const item = desk.placeOf(message.id);
        return item && (await deps.openSession(item.reference, item.eventId));
      }
    }
  }

  private async confirm(message: Extract<FromInbox, { readonly type: 'confirm' }>): Promise<void> {
    const found = this.desk.find(message.eventId);
    const actions = found?.source.actions;
    if (message.result === 'allow' && found !== undefined && actions?.hasChanged(found.eventId, actions.fingerprintOf(found.eventId))) {
      const problem = vscode.l10n.t('Not allowed: it has changed. Review it again.');
      void this.host.send({ type: 'part', thread: '', key: message.eventId, path: 'ask', text: '', problem });
    }
    await this.answer(message.clientId, this.desk.answer(message));
  }

  private async answer(clientId: string, sending: Promise<SendResult>): Promise<void> {
    await this.host.send({ type: 'sendResult', clientId, ...(await sending) });
  }

  private async loadPart(key: string): Promise<void> {
    const { source, eventId } = this.find(key);
    const name = { type: 'part', thread: '', key, path: 'ask' } as const;
    const part = await findArguments(source.session, eventId, this.host.signal, vscode.l10n.t);
    if (typeof part === 'string') {
      return this.host.send({ ...name, text: '', problem: part });
    }
    source.actions.argumentsShown(eventId, part.text);
    await this.host.send({ ...name, text: part.text });
  }

  private find(id: string): DeskAsk {
    const found = this.desk.find(id);
    if (found === undefined) {
      throw new Error(vscode.l10n.t('It no longer needs an answer.'));
    }
    return found;
  }

  /** Suggests a rule, once for each tool. */
  private async suggest(rules: ApprovalRules): Promise<void> {
    const { globalState } = this.inbox.deps.context;
    const offered = globalState.get<readonly string[]>(suggestedKey) ?? [];
    const found = await rules.suggest().catch(() => undefined);
    if (found !== undefined && !offered.includes(found.tool)) {
      this.desk.suggest(found);
      await globalState.update(suggestedKey, [...offered, found.tool]);
    }
  }

  /** Creates the source of a session without an open panel. */
  private createSource(reference: SessionReference, onStale: () => void): ReadSource {
    const { connections, emulator, log, rules, facts, onGone } = this.inbox.deps;
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
    const actions = new Conversation({
      ...{ session, t, lifetime: this.inbox.lifetime.signal, warn: message => log.warn(message), sessions: () => access.write() },
      claim: async eventId => await rules.current?.answering(reference, eventId),
    });
    const dispose = () => combine({ dispose: () => actions.close() }, session).dispose();
    return { session, actions, dispose };
  }

  private postView(): void {
    if (!this.host.isReady) {
      return;
    }
    const { desk, toShow } = this;
    const { view } = desk;
    const text = JSON.stringify(view);
    if (text !== this.posted) {
      this.posted = text;
      void this.host.post({ type: 'view', view });
    }
    // The item to show may not have been read yet.
    if (toShow !== undefined && (toShow.id === undefined || view.isRead || desk.placeOf(toShow.id) !== undefined)) {
      this.toShow = undefined;
      void this.host.post({ type: 'show', id: toShow.id });
    }
  }
}
