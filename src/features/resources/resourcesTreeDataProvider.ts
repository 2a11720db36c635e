import * as vscode from 'vscode';
import { commandLink } from '../../common/commands';
import { Drawn } from '../../common/lists/drawn';
import { KeptLooks } from '../../common/lists/keptLooks';
import { fewRows, LoadMoreTreeItem, lookOf, toTreeItem } from '../../common/lists/treeItems';
import { describeError } from '../../common/text/describeError';
import type { PresentationContext } from '../../common/text/presentation';
import { draftIdOfReference, type ResourceDrafts } from './definitions/resourceDrafts';
import { toResourceUri } from './documents/resourceUri';
import type { ResourceList } from './lists/resourceList';
import { keyOf, plainReference } from './reference';
import { type Remarks, withRemarks } from './remarks';
import type { Folder, ResourceKind } from './resourceKind';
import {
  type FolderNode,
  type GroupNode,
  idOf,
  groupsBelow,
  keyOfNode,
  type LocalNode,
  plainGroup,
  type RemarkNode,
  type ResourceNode,
  type ResourcesNode,
  toNode,
} from './resourceNodes';
import { presentGroup, presentNew, toHover, withDraft } from './resourcePresentation';
import type { ResourceStore } from './resourceStore';

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** Tree data provider for the groups of a `ResourceStore`. A group is read when it is first expanded. */
export class ResourcesTreeDataProvider implements vscode.TreeDataProvider<ResourcesNode> {
  private readonly changed = new vscode.EventEmitter<ResourcesNode[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly drawn = new Drawn<ResourcesNode>();
  /** Nodes of the current connection, by what they represent. VS Code identifies rows by these objects. */
  private readonly nodes = new Map<string, ResourcesNode>();
  private connection: string | undefined;
  private readonly looks = new KeptLooks<ResourcesNode, string>(() => this.context().now);

  constructor(
    private readonly store: ResourceStore,
    private readonly drafts: ResourceDrafts,
    private readonly context: () => PresentationContext,
    /** Returns whether the connection can be used. If not, the view shows what is missing. */
    private readonly isReady: () => boolean,
    /** Returns the local rows below the groups. */
    private readonly local: () => readonly LocalNode[] = () => [],
    private readonly remarks: Remarks = { of: () => undefined },
  ) {}

  /** Refreshes rows whose appearance changed and groups whose rows changed. Refreshes everything if the groups changed. */
  refresh(): void {
    if (this.connection !== this.store.connection) {
      this.connection = this.store.connection;
      this.nodes.clear();
    }
    const { wasSame, changed } = this.drawn.take({
      roots: this.roots(),
      below: node => this.known(node),
      lookOf: node => this.lookOf(node),
    });
    if (!wasSame || changed.length > fewRows) {
      this.changed.fire(undefined);
    } else if (changed.length > 0) {
      this.changed.fire(changed);
    }
  }

  async getChildren(parent?: ResourcesNode): Promise<ResourcesNode[]> {
    if (parent === undefined) {
      return this.roots();
    }
    // VS Code loses an expand event while it processes refreshed rows. The request for the children proves that the row is expanded.
    const below = parent.row === 'resource' ? groupsBelow(parent).map(group => this.same(group)) : [];
    const unfold = async (groups: readonly GroupNode[]) => await Promise.all(groups.map(group => this.listOf(group).unfold()));
    void unfold(below.filter(({ of }) => of.summary !== undefined));
    await unfold(parent.row === 'group' ? [parent] : below.length === 1 ? below : []);
    return this.known(parent);
  }

  getTreeItem(node: ResourcesNode): vscode.TreeItem {
    switch (node.row) {
      case 'local':
        return node.item;
      case 'group':
        return this.groupItem(node);
      case 'folder':
        return folderItem(node);
      case 'resource':
        return this.resourceItem(node);
      case 'remark': {
        const item = toTreeItem(`remark ${keyOf(node)} ${node.remark.id}`, node.remark, None);
        item.tooltip = node.remark.tooltip;
        return item;
      }
      case 'draft': {
        const item = toTreeItem(`new ${node.draft.id}`, presentNew(node.draft.name, this.context()), None);
        item.tooltip = vscode.l10n.t('A draft on this machine: the service does not have it yet');
        const { connection, kind, id, name } = node.draft;
        const ending = this.kindOf(kind)?.definition?.ending ?? kind;
        const uri = toResourceUri({ view: 'new', connection, kind, draftId: id }, `${name}.${ending}.json`);
        item.command = { command: 'vscode.open', title: vscode.l10n.t('Open Draft'), arguments: [uri] };
        return item;
      }
      case 'more': {
        const more = commandLink('managedAgents.resources.loadMore', vscode.l10n.t('Load More'), plainGroup(node.group));
        return new LoadMoreTreeItem(`more ${idOf(node.group)}`, node.problem, more);
      }
      case 'note': {
        const item = new vscode.TreeItem(node.text, None);
        item.id = `note ${idOf(node.group)}`;
        item.iconPath = new vscode.ThemeIcon(node.isProblem ? 'warning' : 'info');
        // Without a tooltip, VS Code waits for the tree to resolve one.
        item.tooltip = node.text;
        return item;
      }
    }
  }

  resolveTreeItem(item: vscode.TreeItem, node: ResourcesNode): vscode.TreeItem {
    if (node.row === 'resource') {
      item.tooltip = new vscode.MarkdownString(toHover(node.of, node.value, node.connection, this.context()));
    }
    return item;
  }

  dispose(): void {
    this.changed.dispose();
  }

  private roots(): ResourcesNode[] {
    const { connection } = this.store;
    const groups: ResourcesNode[] =
      connection === undefined || !this.isReady() ? [] : this.store.groups().map(kind => this.groupOf(connection, kind));
    return [...groups, ...this.local()];
  }

  private groupOf(connection: string, of: ResourceKind): GroupNode {
    return this.same({ row: 'group', connection, kind: of.kind, of });
  }

  /** Returns the existing node with the same key, updated, or the new one. */
  private same<T extends Exclude<ResourcesNode, LocalNode>>(now: T): T {
    const key = keyOfNode(now);
    const before = this.nodes.get(key) as T | undefined;
    if (before !== undefined) {
      return Object.assign(before, now);
    }
    this.nodes.set(key, now);
    return now;
  }

  /** Returns the appearance of a row. */
  private lookOf(node: ResourcesNode): string {
    const look = () => lookOf(this.getTreeItem(node));
    if (node.row !== 'resource') {
      return look();
    }
    const draft = this.drafts.find(draftIdOfReference(node));
    return this.looks.of(node, [node.value, draft, this.remarks.of(plainReference(node), this.context())?.words], look);
  }

  /** Returns the loaded children of a row. */
  private known(parent: ResourcesNode): ResourcesNode[] {
    switch (parent.row) {
      case 'group':
        return this.knownMembers(parent);
      case 'folder':
        return this.members(parent.group, parent.path);
      case 'resource':
        return [...this.remarksOf(parent), ...this.knownBelow(groupsBelow(parent).map(group => this.same(group)))];
      default:
        return parent.row === 'local' ? [...parent.children] : [];
    }
  }

  private remarksOf(node: ResourceNode): RemarkNode[] {
    const { remarks = [] } = this.remarks.of(plainReference(node), this.context()) ?? {};
    return remarks.map(remark => this.same({ row: 'remark', ...plainReference(node), remark }));
  }

  private knownMembers(group: GroupNode): ResourcesNode[] {
    return this.listOf(group).isUnfolded ? this.members(group, []) : [];
  }

  /** Returns the groups if there are several, else the members of the only one, to avoid a level with a single row. */
  private knownBelow(groups: readonly GroupNode[]): ResourcesNode[] {
    const [only] = groups;
    return groups.length === 1 && only !== undefined ? this.knownMembers(only) : [...groups];
  }

  private members(group: GroupNode, path: readonly string[]): ResourcesNode[] {
    const { list } = this.listOf(group);
    const rows: ResourcesNode[] = [];
    const folders = new Map<string, FolderNode>();
    for (const value of list.items) {
      const way = group.of.folders?.(value, this.context()) ?? [];
      if (path.some((id, depth) => way[depth]?.id !== id)) {
        continue;
      }
      const folder: Folder | undefined = way[path.length];
      if (folder === undefined) {
        rows.push(this.same(toNode(group, value)));
      } else if (!folders.has(folder.id)) {
        folders.set(folder.id, this.same({ row: 'folder', group, path: [...path, folder.id], folder }));
      }
    }
    // Folders first, as in file trees.
    const below = [...folders.values(), ...rows];
    return path.length > 0 ? below : [...this.newOnes(group), ...below, ...this.ending(group)];
  }

  private newOnes({ connection, of }: GroupNode): ResourcesNode[] {
    return this.drafts
      .of(connection)
      .filter(({ kind, resourceId }) => kind === of.kind && resourceId === undefined)
      .map(draft => this.same({ row: 'draft', draft }));
  }

  /** Returns the rows after the members: a row to load more, or a note that says why the group is empty. */
  private ending(group: GroupNode): ResourcesNode[] {
    const { list } = this.listOf(group);
    const note = (text: string, isProblem: boolean): ResourcesNode[] => [this.same({ row: 'note', group, text, isProblem })];
    if (list.state === 'unsupported') {
      return group.parent === undefined
        ? note(vscode.l10n.t('This service does not serve them'), false)
        : note(vscode.l10n.t('The service has nothing there: it may have been deleted'), false);
    }
    if (list.problem !== undefined && list.items.length === 0) {
      return note(vscode.l10n.t('Could not be read: {0}', describeError(list.problem)), true);
    }
    if (list.hasMore) {
      return [this.same({ row: 'more', group, problem: list.moreProblem === undefined ? undefined : describeError(list.moreProblem) })];
    }
    const isEmpty = list.state === 'empty' && this.newOnes(group).length === 0;
    return isEmpty ? note(group.of.texts(this.context().translate).empty, false) : [];
  }

  private groupItem(node: GroupNode): vscode.TreeItem {
    const { title } = node.of.texts(this.context().translate);
    const { description, icon, color, spoken } = presentGroup(this.listOf(node), this.context());
    const abilities = node.parent === undefined ? 'group creatable' : 'group';
    const look = {
      label: title,
      description,
      icon: icon ?? node.of.icon,
      color,
      abilities,
      spoken: spoken === '' ? title : `${title}, ${spoken}`,
    };
    const item = toTreeItem(idOf(node), look, Collapsed);
    item.tooltip = spoken === '' ? title : `${title}: ${spoken}`;
    return item;
  }

  private resourceItem(node: ResourceNode): vscode.TreeItem {
    const plain = node.of.row(node.value, this.context());
    const isDrafted = node.of.definition !== undefined && this.drafts.find(draftIdOfReference(node)) !== undefined;
    const known = this.remarks.of(plainReference(node), this.context());
    const remarked = known === undefined ? plain : withRemarks(plain, known.words);
    const row = isDrafted ? withDraft(remarked, this.context()) : remarked;
    const hasRows = known !== undefined || (node.of.children?.(node.value) ?? []).length > 0;
    const item = toTreeItem(idOf(node), row, hasRows ? Collapsed : None);
    const { connection, sessionId } = node;
    if (node.of.isFolder?.(node.value) === true) {
      return item;
    }
    item.command =
      sessionId === undefined
        ? commandLink('managedAgents.open', vscode.l10n.t('Open'), plainReference(node))
        : commandLink('managedAgents.session.open', vscode.l10n.t('Open Session'), { connection, sessionId });
    return item;
  }

  private listOf({ connection, of, parent }: GroupNode): ResourceList {
    return this.store.listOf(connection, of, parent);
  }

  private kindOf(name: string): ResourceKind | undefined {
    return this.store.kinds.find(({ kind }) => kind === name);
  }
}

function folderItem({ group, path, folder }: FolderNode): vscode.TreeItem {
  const item = new vscode.TreeItem(folder.label, Collapsed);
  item.id = `folder ${idOf(group)} ${JSON.stringify(path)}`;
  item.iconPath = new vscode.ThemeIcon(folder.icon);
  item.description = folder.description ?? '';
  item.tooltip = folder.label;
  item.contextValue = 'folder';
  return item;
}
