import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { webviewHtml, webviewOptions } from '../../../common/documents/webviewHtml';
import { Gathered } from '../../../common/lists/gathered';
import type { SessionReference } from '../../../contributions';
import type { FromInbox, ToInbox } from '../../../shared/inbox/inboxProtocol';
import { toLabel } from '../../../shared/text';
import { findArguments } from '../panel/parts/findArguments';
import { openAskedChange } from '../panel/parts/openAskedChange';
import { openLink } from '../panel/parts/openLink';
import type { PartOpener } from '../panel/parts/partOpener';
import { sendResultFile } from '../panel/parts/sendResultFile';
import type { ApprovalRule } from '../rules/approvalRule';
import type { ApprovalRules } from '../rules/approvalRules';
import type { AskSources } from './askSources';
import { fromInboxSchema } from './fromInboxSchema';
import type { DeskAsk, InboxDesk } from './inboxDesk';

export interface InboxPanelOptions {
  readonly panel: vscode.WebviewPanel;
  readonly extension: vscode.Uri;
  readonly desk: InboxDesk;
  readonly sources: AskSources;
  readonly parts: PartOpener;
  /** Shows the rules. */
  readonly manageRules: () => Promise<void>;
  readonly rules: () => Promise<Pick<ApprovalRules, 'propose' | 'keep'>>;
  /** Removes the suggested rule, and returns it if it has this ID. */
  readonly takeSuggestion: (id?: string) => ApprovalRule | undefined;
  /** Shows the session at an event. */
  readonly openSession: (reference: SessionReference, eventId: string) => Promise<void>;
  /** Reports an error of an act of the user. */
  readonly onError: (error: unknown) => void;
  /** Called when a message does not fit the protocol. */
  readonly warn: (message: string) => void;
}

/**
 * Webview panel of the inbox. Shows its desk while it is visible, and forwards what the user does. Disposes the desk and the sources with
 * it.
 */
export class InboxPanel implements vscode.Disposable {
  readonly panel: vscode.WebviewPanel;
  private readonly subscriptions: vscode.Disposable;
  private readonly lifetime = new AbortController();
  private readonly disposed = new vscode.EventEmitter<void>();
  readonly onDidDispose = this.disposed.event;
  private readonly posting = new Gathered(() => this.postView());
  private isReady = false;
  private posted = '';
  /** Item to show once the page is ready. */
  private toShow: { readonly id: string | undefined } | undefined;
  /** Rules that the card offers, by id. */
  private proposed = new Map<string, ApprovalRule>();
  /** Results of answers that were sent while no page was ready. */
  private untold: ToInbox[] = [];

  constructor(private readonly options: InboxPanelOptions) {
    const { panel, desk, sources, extension } = options;
    this.panel = panel;
    this.subscriptions = combine(
      panel.webview.onDidReceiveMessage(message => this.receive(message)),
      panel.onDidChangeViewState(() => this.visibilityChanged()),
      desk.onDidChange(() => this.posting.ask()),
      panel.onDidDispose(() => this.dispose()),
      this.posting,
    );
    panel.title = vscode.l10n.t('Inbox');
    const file = (theme: string) => vscode.Uri.joinPath(extension, 'media', 'session', `waiting-${theme}.svg`);
    panel.iconPath = { light: file('light'), dark: file('dark') };
    panel.webview.options = webviewOptions(extension);
    panel.webview.html = webviewHtml(panel.webview, extension, { name: 'inbox', state: {}, title: this.panel.title });
    sources.setVisible(panel.visible);
  }

  /** Shows an ask, or the first item if none is given, and focuses its card. */
  show(ask: { readonly reference: SessionReference; readonly eventId: string } | undefined): void {
    this.toShow = { id: ask && this.options.desk.idOf(ask.reference, ask.eventId) };
    if (this.isReady) {
      this.postView();
    }
  }

  dispose(): void {
    if (!this.lifetime.signal.aborted) {
      this.lifetime.abort();
      this.isReady = false;
      this.subscriptions.dispose();
      this.options.desk.dispose();
      this.options.sources.dispose();
      this.panel.dispose();
      this.disposed.fire();
      this.disposed.dispose();
    }
  }

  private receive(raw: unknown): void {
    const parsed = fromInboxSchema.safeParse(raw);
    if (!parsed.success) {
      this.options.warn('The inbox sent a message that is none of its protocol; it was dropped');
      return;
    }
    this.handle(parsed.data).catch(error => this.options.onError(error));
  }

  private async handle(message: FromInbox): Promise<void> {
    const { desk } = this.options;
    switch (message.type) {
      case 'ready':
        this.isReady = true;
        this.posted = '';
        this.postView();
        for (const untold of this.untold.splice(0)) {
          this.post(untold);
        }
        return;
      case 'confirm':
        return await this.confirm(message);
      case 'customResult':
        return this.tell({ type: 'sendResult', clientId: message.clientId, ...(await desk.answer(message)) });
      case 'customResultFromFile': {
        const { source, eventId } = this.find(message.eventId);
        const result = await desk.send(message.eventId, () => sendResultFile(source.actions, message.clientId, eventId));
        return this.tell({ type: 'sendResult', clientId: message.clientId, ...result });
      }
      case 'reply':
        return this.tell({ type: 'sendResult', clientId: message.clientId, ...(await desk.reply(message)) });
      case 'allowEqual':
        return this.tell({ type: 'sendResult', clientId: message.clientId, ...(await desk.allowEqual(message)) });
      case 'loadPart':
        return await this.loadPart(message.key);
      case 'openPart': {
        const { source, eventId, entry } = this.find(message.key);
        const part = await findArguments(source.session, eventId, this.lifetime.signal, vscode.l10n.t);
        if (typeof part === 'string') {
          throw new Error(part);
        }
        return await this.options.parts.open(part, `${toLabel(entry.ask.tool, 40)} input`, 'txt');
      }
      case 'openAskedChange': {
        const { source, eventId } = this.find(message.eventId);
        return await openAskedChange(source.session, this.options.parts, eventId, this.lifetime.signal);
      }
      case 'makeRule': {
        const { source, eventId } = this.find(message.eventId);
        const proposed = await (await this.options.rules()).propose(source.session.reference, eventId);
        this.proposed = new Map(proposed.map(({ rule }) => [rule.id, rule]));
        const rules = proposed.map(({ rule: { id }, scope, trial }) => ({ id, scope, trial }));
        return this.tell({ type: 'rules', eventId: message.eventId, rules });
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
      case 'notNow':
        return desk.postpone(message.id);
      case 'shown':
        return desk.setShown(message.id);
      case 'openSession': {
        const place = desk.placeOf(message.id);
        return place && (await this.options.openSession(place.reference, place.eventId));
      }
    }
  }

  private async confirm(message: Extract<FromInbox, { readonly type: 'confirm' }>): Promise<void> {
    const { desk } = this.options;
    const found = desk.find(message.eventId);
    const actions = found?.source.actions;
    if (message.result === 'allow' && found !== undefined && actions?.hasChanged(found.eventId, actions.fingerprintOf(found.eventId))) {
      const problem = vscode.l10n.t('Not allowed: it has changed. Review it again.');
      this.tell({ type: 'part', thread: '', key: message.eventId, path: 'ask', text: '', problem });
    }
    this.tell({ type: 'sendResult', clientId: message.clientId, ...(await desk.answer(message)) });
  }

  private async loadPart(key: string): Promise<void> {
    const { source, eventId } = this.find(key);
    const name = { type: 'part', thread: '', key, path: 'ask' } as const;
    const part = await findArguments(source.session, eventId, this.lifetime.signal, vscode.l10n.t);
    if (typeof part === 'string') {
      return this.tell({ ...name, text: '', problem: part });
    }
    source.actions.argumentsShown(eventId, part.text);
    this.tell({ ...name, text: part.text });
  }

  private find(id: string): DeskAsk {
    const found = this.options.desk.find(id);
    if (found === undefined) {
      throw new Error(vscode.l10n.t('This is no longer waiting for an answer.'));
    }
    return found;
  }

  private visibilityChanged(): void {
    const { visible } = this.panel;
    // A hidden page is destroyed. The new one sends `ready`.
    this.isReady &&= visible;
    this.options.sources.setVisible(visible);
  }

  private postView(): void {
    if (!this.isReady) {
      return;
    }
    const { desk } = this.options;
    const { view } = desk;
    const text = JSON.stringify(view);
    if (text !== this.posted) {
      const isFirst = this.posted === '';
      this.posted = text;
      this.post({ type: 'view', view, locale: vscode.env.language, ...(isFirst ? { translations: vscode.l10n.bundle ?? {} } : {}) });
    }
    const { toShow } = this;
    // The item to show may only be read later.
    if (toShow !== undefined && (toShow.id === undefined || view.isRead || desk.placeOf(toShow.id) !== undefined)) {
      this.toShow = undefined;
      this.post({ type: 'show', id: toShow.id });
    }
  }

  /** Posts a message outside the view. Stored until a page is ready. */
  private tell(message: ToInbox): void {
    if (this.isReady) {
      this.post(message);
    } else if (!this.lifetime.signal.aborted) {
      this.untold.push(message);
    }
  }

  private post(message: ToInbox): void {
    this.panel.webview.postMessage(message).then(undefined, () => undefined);
  }
}
