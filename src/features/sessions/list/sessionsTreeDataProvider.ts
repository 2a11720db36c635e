import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { KeptRows, type MadeRow } from '../../../common/lists/keptRows';
import { decorate, fewRows, LoadMoreTreeItem, lookOf, redrawn } from '../../../common/lists/treeItems';
import type { PresentationContext, RowPresentation } from '../../../common/text/presentation';
import type { SessionReference } from '../../../contributions';
import { asksOf, type Need } from '../inbox/inboxPresentation';
import type { WaitingSessions } from '../inbox/knownWaiting';
import { NeedsTreeItem, NeedTreeItem } from '../inbox/needsTreeItem';
import { lookKey } from './known/sessionRecords';
import type { ListedSession } from './listedSession';
import { presentGroup, presentSession, rowStays } from './sessionPresentation';
import type { Coverage, SessionStore } from './sessionStore';
import type { SessionGroup } from './shownSessions';

/** A row of the view. As a command's argument it names its session. */
export class SessionTreeItem extends vscode.TreeItem implements SessionReference {
  readonly connection: string;
  readonly sessionId: string;

  constructor(
    readonly listed: ListedSession,
    row: RowPresentation,
  ) {
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
    this.id = groupId(group.state);
  }
}

export type SessionsTreeItem = SessionTreeItem | SessionGroupTreeItem | NeedsTreeItem | NeedTreeItem | LoadMoreTreeItem;

/** What stands at the root of the tree. */
type RootRow = ListedSession | SessionGroup | { readonly needs: readonly Need[] } | { readonly problem: string | undefined };

/** What needs the user, and the groups of a `SessionStore`, as VS Code's tree. Only what looks different is drawn again. */
export class SessionsTreeDataProvider implements vscode.TreeDataProvider<SessionsTreeItem>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<SessionsTreeItem[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly now = () => this.context().now;
  private readonly roots = new KeptRows<RootRow, SessionsTreeItem>(keyOfRow, (row, before) => this.makeRoot(row, before), this.now);
  /** What is below a heading, by its id. */
  private readonly below = new Map<string, KeptRows<ListedSession, SessionTreeItem>>();
  private readonly needs = new KeptRows<Need, NeedTreeItem>(
    ({ session, ask }) => `${lookKey(session)}\n${ask.eventId}`,
    (need, before) => this.makeNeed(need, before),
    this.now,
  );

  constructor(
    private readonly store: SessionStore,
    private readonly waiting: WaitingSessions,
    private readonly context: () => PresentationContext,
    private readonly hoverOf: (listed: ListedSession) => Promise<string>,
  ) {}

  /** Has the rows drawn again that look different, and headings with other rows than before; where there are other headings, all. */
  refresh(): void {
    const { wasSame, changed } = this.take();
    if (!wasSame || changed.length > fewRows) {
      this.changed.fire(undefined);
    } else if (changed.length > 0) {
      this.changed.fire(changed);
    }
  }

  getTreeItem(item: SessionsTreeItem): vscode.TreeItem {
    return item;
  }

  /** What is below a heading is what stood there when the headings were drawn, so that no session is ever below two of them. */
  getChildren(parent?: SessionsTreeItem): SessionsTreeItem[] {
    if (parent === undefined) {
      this.take();
      return [...this.roots.items];
    }
    return [...this.itemsBelow(parent)];
  }

  getParent(item: SessionsTreeItem): SessionsTreeItem | undefined {
    return this.roots.items.find(root => this.itemsBelow(root).includes(item));
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

  /** Takes in how the rows are now. Answers whether the roots are those of before, and what else looks different. */
  private take(): { readonly wasSame: boolean; readonly changed: SessionsTreeItem[] } {
    const { sort, more } = this.store;
    const needs = asksOf(this.waiting);
    const groups = sort === 'needsYou' ? this.store.groups() : [];
    const { wasSame, changed } = this.roots.take([
      ...(needs.length === 0 ? [] : [{ needs }]),
      ...(sort === 'needsYou' ? groups : this.store.sessions()),
      ...(more === undefined ? [] : [more]),
    ]);
    const redraw = new Set<SessionsTreeItem>(changed);
    const takeBelow = <Row extends object, Item extends SessionsTreeItem>(id: string, kept: KeptRows<Row, Item>, rows: readonly Row[]) => {
      const heading = this.roots.items.find(item => item.id === id);
      const news = kept.take(rows);
      // A heading is drawn with all that is below it.
      if (heading !== undefined && !redraw.has(heading)) {
        for (const item of news.wasSame ? news.changed : [heading]) {
          redraw.add(item);
        }
      }
    };
    takeBelow(needsId, this.needs, needs);
    for (const id of this.below.keys()) {
      if (!groups.some(({ state }) => groupId(state) === id)) {
        this.below.delete(id);
      }
    }
    for (const { state, sessions } of groups) {
      takeBelow(groupId(state), this.rowsBelow(groupId(state)), sessions);
    }
    return { wasSame, changed: [...redraw] };
  }

  private itemsBelow({ id = '' }: SessionsTreeItem): readonly SessionsTreeItem[] {
    return id === needsId ? this.needs.items : (this.below.get(id)?.items ?? []);
  }

  private rowsBelow(id: string): KeptRows<ListedSession, SessionTreeItem> {
    const kept =
      this.below.get(id) ??
      new KeptRows<ListedSession, SessionTreeItem>(keyOfRow, (row, before) => this.makeSession(row, before), this.now);
    this.below.set(id, kept);
    return kept;
  }

  private makeRoot(row: RootRow, before: SessionsTreeItem | undefined): MadeRow<SessionsTreeItem> {
    if ('session' in row) {
      return this.makeSession(row, before as SessionTreeItem | undefined);
    }
    const item = redrawn(before, this.toHeading(row));
    // What a heading says hangs on more than its row.
    return { item, look: JSON.stringify([lookOf(item), item.accessibilityInformation?.label]), until: this.now() };
  }

  private toHeading(row: Exclude<RootRow, ListedSession>): SessionsTreeItem {
    if ('needs' in row) {
      return new NeedsTreeItem(row.needs.length, this.store.coverage, this.context());
    }
    return 'sessions' in row
      ? new SessionGroupTreeItem(row, this.store.coverage, this.context())
      : new LoadMoreTreeItem('more', row.problem, commandLink('managedAgents.sessions.loadMore', vscode.l10n.t('Load More')));
  }

  private makeSession(listed: ListedSession, before: SessionTreeItem | undefined): MadeRow<SessionTreeItem> {
    const context = this.context();
    const row = presentSession(listed, context);
    const item = redrawn(before, new SessionTreeItem(listed, row));
    // With all that its hover and a click on it are made of.
    const look = JSON.stringify([row, listed.session.updated_at, listed.asks.map(({ eventId }) => eventId)]);
    return { item, look, until: rowStays(listed, context) };
  }

  private makeNeed({ session, ask }: Need, before: NeedTreeItem | undefined): MadeRow<NeedTreeItem> {
    const item = redrawn(before, new NeedTreeItem(session, ask, this.context()));
    return { item, look: JSON.stringify([lookOf(item), item.tooltip]), until: this.now() };
  }
}

const needsId = 'needs';
const groupId = (state: string) => `group ${state}`;

function keyOfRow(row: RootRow): string {
  if ('session' in row) {
    return `session ${lookKey({ connection: row.connection, sessionId: row.session.id })}`;
  }
  return 'needs' in row ? needsId : 'sessions' in row ? groupId(row.state) : 'more';
}
