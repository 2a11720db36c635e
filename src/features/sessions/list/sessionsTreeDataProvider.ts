import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { decorate, LoadMoreTreeItem } from '../../../common/lists/treeItems';
import type { PresentationContext } from '../../../common/text/presentation';
import type { SessionReference } from '../../../contributions';
import { asksOf } from '../inbox/inboxPresentation';
import type { WaitingSessions } from '../inbox/knownWaiting';
import { NeedsTreeItem, NeedTreeItem } from '../inbox/needsTreeItem';
import type { ListedSession } from './listedSession';
import { presentGroup, presentSession } from './sessionPresentation';
import type { Coverage, SessionGroup, SessionStore } from './sessionStore';

/** A row of the view. As a command's argument it names its session. */
export class SessionTreeItem extends vscode.TreeItem implements SessionReference {
  readonly connection: string;
  readonly sessionId: string;

  constructor(
    readonly listed: ListedSession,
    context: PresentationContext,
  ) {
    const row = presentSession(listed, context);
    super(row.label);
    decorate(this, row);
    this.connection = listed.connection;
    this.sessionId = listed.session.id;
    this.id = `${this.connection}\n${this.sessionId}`;
    const { connection, sessionId } = this;
    this.command = commandLink(
      'managedAgents.session.open',
      vscode.l10n.t('Open Session'),
      { connection, sessionId },
      listed.asks[0]?.eventId,
    );
  }
}

/** A heading: sessions that stand the same way. */
export class SessionGroupTreeItem extends vscode.TreeItem {
  constructor(
    readonly group: SessionGroup,
    coverage: Coverage,
    context: PresentationContext,
  ) {
    const row = presentGroup(group, coverage, context);
    const folded = group.state === 'archived';
    super(row.label, folded ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.Expanded);
    this.description = row.description;
    this.contextValue = row.abilities;
    this.accessibilityInformation = { label: row.spoken };
    // Without one VS Code would wait for it to be resolved.
    this.tooltip = row.spoken;
    this.id = `group ${group.state}`;
  }
}

export type SessionsTreeItem = SessionTreeItem | SessionGroupTreeItem | NeedsTreeItem | NeedTreeItem | LoadMoreTreeItem;

/** What needs the user, and the groups of a `SessionStore`, as VS Code's tree. */
export class SessionsTreeDataProvider implements vscode.TreeDataProvider<SessionsTreeItem>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly store: SessionStore,
    private readonly waiting: WaitingSessions,
    private readonly context: () => PresentationContext,
    private readonly hoverOf: (listed: ListedSession) => Promise<string>,
  ) {}

  refresh(): void {
    this.changed.fire();
  }

  getTreeItem(item: SessionsTreeItem): vscode.TreeItem {
    return item;
  }

  getChildren(parent?: SessionsTreeItem): SessionsTreeItem[] {
    const context = this.context();
    if (parent instanceof SessionGroupTreeItem) {
      return parent.group.sessions.map(listed => new SessionTreeItem(listed, context));
    }
    const needs = asksOf(this.waiting);
    if (parent instanceof NeedsTreeItem) {
      return needs.map(({ session, ask }) => new NeedTreeItem(session, ask, context));
    }
    if (parent !== undefined) {
      return [];
    }
    const { more, coverage, sort } = this.store;
    return [
      ...(needs.length === 0 ? [] : [new NeedsTreeItem(needs.length, context)]),
      ...(sort === 'needsYou'
        ? this.store.groups().map(group => new SessionGroupTreeItem(group, coverage, context))
        : this.store.sessions().map(listed => new SessionTreeItem(listed, context))),
      ...(more === undefined
        ? []
        : [new LoadMoreTreeItem('more', more.problem, commandLink('managedAgents.sessions.loadMore', vscode.l10n.t('Load More')))]),
    ];
  }

  getParent(item: SessionsTreeItem): SessionsTreeItem | undefined {
    if (item instanceof NeedTreeItem) {
      return new NeedsTreeItem(asksOf(this.waiting).length, this.context());
    }
    if (!(item instanceof SessionTreeItem) || this.store.sort !== 'needsYou') {
      return undefined;
    }
    const group = this.store.groups().find(({ state }) => state === item.listed.state);
    return group === undefined ? undefined : new SessionGroupTreeItem(group, this.store.coverage, this.context());
  }

  async resolveTreeItem(item: vscode.TreeItem, element: SessionsTreeItem): Promise<vscode.TreeItem> {
    if (element instanceof SessionTreeItem) {
      item.tooltip = new vscode.MarkdownString(await this.hoverOf(element.listed));
    }
    return item;
  }

  dispose(): void {
    this.changed.dispose();
  }
}
