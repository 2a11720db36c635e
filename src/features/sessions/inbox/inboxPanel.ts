import * as vscode from 'vscode';
import { Throttle } from '../../../common/lists/throttle';
import type { Log } from '../../../common/log';
import { PanelHost } from '../../../common/panels/panelHost';
import type { SessionReference } from '../../../contributions';
import { fromInboxSchema } from '../../../shared/inbox/fromInboxSchema';
import type { FromInbox, ToInbox } from '../../../shared/inbox/inboxProtocol';
import { toLabel } from '../../../shared/text';
import { findArguments, openAskedChange, type PartOpener } from '../panel/parts/partOpener';
import { openLink } from '../panel/parts/openLink';
import { sendResultFile } from '../panel/parts/resultFile';
import type { ApprovalRule } from '../rules/approvalRule';
import type { ApprovalRules } from '../rules/approvalRules';
import { viewTypes } from '../viewTypes';
import type { AskSources } from './askSources';
import type { DeskAsk, InboxDesk } from './inboxDesk';
import { idOfAsk } from './inboxEntries';

export interface InboxPanelOptions {
  readonly panel: vscode.WebviewPanel | undefined;
  readonly extension: vscode.Uri;
  readonly log: Log;
  readonly desk: InboxDesk;
  readonly sources: AskSources;
  readonly parts: PartOpener;
  readonly manageRules: () => Promise<void>;
  readonly rules: () => Promise<Pick<ApprovalRules, 'propose' | 'keep'>>;
  /** Removes the suggested rule, and returns it if `id` is its ID. */
  readonly takeSuggestion: (id?: string) => ApprovalRule | undefined;
  readonly openSession: (reference: SessionReference, eventId: string) => Promise<void>;
  readonly onVisibility: (isVisible: boolean) => void;
  readonly onDispose: () => void;
}

/** Webview panel of the inbox. Shows its desk while it is visible. Disposes the desk and the sources with it. */
export class InboxPanel {
  private readonly host: PanelHost<FromInbox, ToInbox>;
  private readonly posting = new Throttle(() => this.postView());
  private posted = '';
  /** Item to show once the page is ready. */
  private toShow: { readonly id: string | undefined } | undefined;
  private proposed = new Map<string, ApprovalRule>();

  constructor(private readonly options: InboxPanelOptions) {
    const { panel, desk, sources, extension, log } = options;
    this.host = new PanelHost<FromInbox, ToInbox>({
      ...{ panel, extension, log, viewType: viewTypes.inbox, bundle: 'inbox', title: vscode.l10n.t('Inbox'), schema: fromInboxSchema },
      onReady: () => {
        this.posted = '';
        this.postView();
      },
      onMessage: message => this.handle(message),
      onVisibility: isVisible => {
        sources.setVisible(isVisible);
        options.onVisibility(isVisible);
      },
      onDispose: () => {
        changes.dispose();
        this.posting.dispose();
        desk.dispose();
        sources.dispose();
        options.onDispose();
      },
    });
    this.host.setIcon('waiting');
    const changes = desk.onDidChange(() => this.posting.ask());
    sources.setVisible(this.panel.visible);
  }

  get panel(): vscode.WebviewPanel {
    return this.host.panel;
  }

  /** Shows an ask, or the first item if none is given, and focuses its card. */
  show(ask: { readonly reference: SessionReference; readonly eventId: string } | undefined): void {
    this.toShow = { id: ask && idOfAsk(ask.reference, ask.eventId) };
    this.postView();
  }

  private async handle(message: Exclude<FromInbox, { readonly type: 'ready' }>): Promise<void> {
    const { desk } = this.options;
    switch (message.type) {
      case 'confirm':
        return await this.confirm(message);
      case 'customResult':
        return this.host.send({ type: 'sendResult', clientId: message.clientId, ...(await desk.answer(message)) });
      case 'customResultFromFile': {
        const { source, eventId } = this.find(message.eventId);
        const result = await desk.send(message.eventId, () => sendResultFile(source.actions, message.clientId, eventId));
        return this.host.send({ type: 'sendResult', clientId: message.clientId, ...result });
      }
      case 'reply':
        return this.host.send({ type: 'sendResult', clientId: message.clientId, ...(await desk.reply(message)) });
      case 'allowEqual':
        return this.host.send({ type: 'sendResult', clientId: message.clientId, ...(await desk.allowEqual(message)) });
      case 'loadPart':
        return await this.loadPart(message.key);
      case 'openPart': {
        const { source, eventId, entry } = this.find(message.key);
        const part = await findArguments(source.session, eventId, this.host.signal, vscode.l10n.t);
        if (typeof part === 'string') {
          throw new Error(part);
        }
        return await this.options.parts.open(part, `${toLabel(entry.ask.tool, 40)} input`, 'txt');
      }
      case 'openAskedChange': {
        const { source, eventId } = this.find(message.eventId);
        return await openAskedChange(source.session, this.options.parts, eventId, this.host.signal);
      }
      case 'makeRule': {
        const { source, eventId } = this.find(message.eventId);
        const proposed = await (await this.options.rules()).propose(source.session.reference, eventId);
        this.proposed = new Map(proposed.map(({ rule }) => [rule.id, rule]));
        const rules = proposed.map(({ rule: { id }, scope, trial }) => ({ id, scope, trial }));
        return this.host.send({ type: 'rules', eventId: message.eventId, rules });
      }
      case 'keepRule': {
        const rule = this.proposed.get(message.id) ?? this.options.takeSuggestion(message.id);
        this.proposed.clear();
        return rule && (await (await this.options.rules()).keep(rule));
      }
      case 'dismissRule':
        return void this.options.takeSuggestion();
      case 'openLink':
        return await openLink(message.href);
      case 'copyText':
        return await vscode.env.clipboard.writeText(message.text);
      case 'showRules':
        return await this.options.manageRules();
      case 'interrupt':
        return await desk.interrupt(message.id);
      case 'notNow':
        return desk.postpone(message.id);
      case 'shown':
        return desk.setShown(message.id);
      case 'openSession': {
        const item = desk.placeOf(message.id);
        return item && (await this.options.openSession(item.reference, item.eventId));
      }
    }
  }

  private async confirm(message: Extract<FromInbox, { readonly type: 'confirm' }>): Promise<void> {
    const { desk } = this.options;
    const found = desk.find(message.eventId);
    const actions = found?.source.actions;
    if (message.result === 'allow' && found !== undefined && actions?.hasChanged(found.eventId, actions.fingerprintOf(found.eventId))) {
      const problem = vscode.l10n.t('Not allowed: it has changed. Review it again.');
      void this.host.send({ type: 'part', thread: '', key: message.eventId, path: 'ask', text: '', problem });
    }
    await this.host.send({ type: 'sendResult', clientId: message.clientId, ...(await desk.answer(message)) });
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
    const found = this.options.desk.find(id);
    if (found === undefined) {
      throw new Error(vscode.l10n.t('This is no longer waiting for an answer.'));
    }
    return found;
  }

  private postView(): void {
    if (!this.host.isReady) {
      return;
    }
    const { desk } = this.options;
    const { view } = desk;
    const text = JSON.stringify(view);
    if (text !== this.posted) {
      this.posted = text;
      void this.host.post({ type: 'view', view });
    }
    const { toShow } = this;
    // The item to show may not have been read yet.
    if (toShow !== undefined && (toShow.id === undefined || view.isRead || desk.placeOf(toShow.id) !== undefined)) {
      this.toShow = undefined;
      void this.host.post({ type: 'show', id: toShow.id });
    }
  }
}
