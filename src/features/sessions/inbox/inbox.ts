import path from 'node:path';
import type * as vscode from 'vscode';
import { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import type { Lazy } from '../../../common/lazy';
import type { SessionReference } from '../../../contributions';
import type { Needs } from '../facts/needs';
import type { SessionFacts } from '../facts/sessionFacts';
import { PartOpener } from '../panel/parts/partOpener';
import type { ApprovalRules } from '../rules/approvalRules';
import type { SessionPanels } from '../sessionPanels';
import type { SessionsDependencies } from '../sessionsDependencies';
import type { DismissedQuestions } from './dismissedQuestions';
import type { SearchState } from './inboxDesk';
import { InboxPanel } from './inboxPanel';

export interface InboxDependencies extends SessionsDependencies {
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
  private readonly lifetime = new AbortController();
  private readonly documents = new ReadonlyDocuments('managed-agents-inbox');
  private readonly parts: PartOpener;
  private readonly postponed = new Set<string>();
  private open: InboxPanel | undefined;

  constructor(private readonly deps: InboxDependencies) {
    const folder = (deps.context.storageUri ?? deps.context.globalStorageUri).fsPath;
    this.parts = new PartOpener(this.documents, path.join(folder, 'inboxPictures', String(process.pid)));
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
    const { deps, parts, postponed, lifetime } = this;
    const onDispose = () => {
      this.open = undefined;
    };
    return new InboxPanel({ ...deps, parts, postponed, lifetime: lifetime.signal, onDispose }, panel);
  }
}
