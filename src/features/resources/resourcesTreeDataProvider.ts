import * as vscode from 'vscode';
import { commandLink } from '../../common/commands';
import { describeError } from '../../common/text/describeError';
import type { PresentationContext } from '../../common/text/presentation';
import { loadMoreRow, NodeTree, type TreeRow } from '../../common/tree/nodeTree';
import { type Drafts, draftIdOf } from './definitions/drafts';
import { toResourceUri } from './documents/resourceUri';
import type { ResourceList } from './lists/resourceList';
import { plainReference } from './reference';
import type { Folder, Resource, ResourceKind } from './resourceKind';
import {
  type DraftNode,
  type FolderNode,
  type GroupNode,
  groupsBelow,
  keyOfNode,
  type LocalNode,
  plainGroup,
  type RemarkNode,
  type ResourceNode,
  type ResourcesNode,
  toNode,
} from './resourceNodes';
import { presentGroup, presentNew, type RemarksOf, toHover, withDraft, withRemarks } from './resourcePresentation';
import type { ResourceStore } from './resourceStore';

export type ResourcesTree = NodeTree<ResourcesNode>;

/** Maximum time between refreshes of a row that shows an age, in milliseconds. */
const longestAge = 20_000;

interface Sources {
  readonly store: ResourceStore;
  readonly drafts: Drafts;
  context(): PresentationContext;
  /** Returns whether the connection can be used. If not, the view shows what is missing. */
  isReady(): boolean;
  /** Returns whether the service has a kind, as far as that is known. Always by default. */
  isServed?(kind: ResourceKind): boolean;
  local?(): readonly LocalNode[];
  readonly remarksOf?: RemarksOf;
  /** True for a view of one kind, whose members are at the top. Its own message says why it is empty. */
  readonly isFlat?: boolean;
}

/** Creates the tree of the groups of a `ResourceStore`. A group is read when it is first expanded. */
export function createResourcesTree(sources: Sources): ResourcesTree {
  const { store, drafts, context, isReady, isServed = () => true, local = () => [], remarksOf, isFlat = false } = sources;
  const cached = new WeakMap<Resource, ResourceNode>();
  const listOf = ({ connection, of, parent }: GroupNode): ResourceList => store.listOf(connection, of, parent);
  const knownRemarks = (node: ResourceNode) => remarksOf?.(plainReference(node), context());

  const toResourceNode = (group: GroupNode, value: Resource): ResourceNode => {
    const plain = toNode(group, value);
    const isDrafted = plain.of.definition !== undefined && drafts.find(draftIdOf(plain)) !== undefined;
    const words = knownRemarks(plain)?.words;
    const before = cached.get(value);
    if (before?.connection === plain.connection && before.isDrafted === isDrafted && before.words === words) {
      return before;
    }
    const node = { ...plain, isDrafted, words };
    cached.set(value, node);
    return node;
  };
  const newOnes = ({ connection, of }: GroupNode): readonly DraftNode[] =>
    drafts
      .of(connection)
      .filter(({ kind, resourceId }) => kind === of.kind && resourceId === undefined)
      .map(draft => ({ row: 'draft', draft, ending: of.definition?.ending ?? of.kind }));

  /** Returns the rows after the members: a row to load more, or a note that says why the group is empty. */
  const ending = (group: GroupNode): readonly ResourcesNode[] => {
    const { list } = listOf(group);
    const isTop = isFlat && group.parent === undefined;
    const note = (text: string, isProblem: boolean): readonly ResourcesNode[] => (isTop ? [] : [{ row: 'note', group, text, isProblem }]);
    if (list.state === 'unsupported') {
      const below = () => vscode.l10n.t('Not found on the service, possibly deleted');
      const absent = group.of.absent?.(vscode.l10n.t);
      return note(absent ?? (group.parent === undefined ? vscode.l10n.t("This service doesn't support them") : below()), false);
    }
    if (list.problem !== undefined && list.items.length === 0) {
      return note(vscode.l10n.t("Couldn't read: {0}", describeError(list.problem)), true);
    }
    if (list.hasMore) {
      return [{ row: 'more', group, problem: list.moreProblem === undefined ? undefined : describeError(list.moreProblem) }];
    }
    const isEmpty = list.state === 'empty' && newOnes(group).length === 0;
    return isEmpty ? note(vscode.l10n.t('None yet'), false) : [];
  };
  const members = (group: GroupNode, path: readonly string[]): readonly ResourcesNode[] => {
    const rows: ResourcesNode[] = [];
    const folders = new Map<string, FolderNode>();
    for (const value of listOf(group).list.items) {
      const way = group.of.folders?.(value, context()) ?? [];
      if (path.some((id, depth) => way[depth]?.id !== id)) {
        continue;
      }
      const folder: Folder | undefined = way[path.length];
      if (folder === undefined) {
        rows.push(toResourceNode(group, value));
      } else if (!folders.has(folder.id)) {
        folders.set(folder.id, { row: 'folder', group, path: [...path, folder.id], folder });
      }
    }
    // Folders first, as in file trees.
    const below = [...folders.values(), ...rows];
    return path.length > 0 ? below : [...newOnes(group), ...below, ...ending(group)];
  };
  const knownMembers = (group: GroupNode) => (listOf(group).isUnfolded ? members(group, []) : []);
  const below = (parent: ResourcesNode): readonly ResourcesNode[] => {
    switch (parent.row) {
      case 'group':
        return knownMembers(parent);
      case 'folder':
        return members(parent.group, parent.path);
      case 'resource': {
        const rows = knownRemarks(parent)?.remarks ?? [];
        const groups = groupsBelow(parent);
        const [only] = groups;
        // A single group has no row: its members take its position.
        const known = groups.length === 1 && only !== undefined ? knownMembers(only) : groups;
        return [...rows.map((remark): RemarkNode => ({ row: 'remark', ...plainReference(parent), remark })), ...known];
      }
      default:
        return parent.row === 'local' ? parent.children : [];
    }
  };
  return new NodeTree<ResourcesNode>({
    roots: () => {
      const { connection } = store;
      const kinds = connection === undefined || !isReady() ? [] : store.kinds.filter(isServed);
      const groups = kinds.map((of): GroupNode => ({ row: 'group', connection: connection ?? '', kind: of.kind, of }));
      return [...(isFlat ? groups.flatMap(knownMembers) : groups), ...local()];
    },
    below,
    // VS Code loses an expand event while it processes refreshed rows. The request for the children proves that the row is expanded.
    load: async parent => {
      const groups = parent.row === 'resource' ? groupsBelow(parent) : [];
      const unfold = async (some: readonly GroupNode[]) => await Promise.all(some.map(group => listOf(group).unfold()));
      void unfold(groups.filter(({ of }) => of.summary !== undefined));
      await unfold(parent.row === 'group' ? [parent] : groups.length === 1 ? groups : []);
    },
    key: keyOfNode,
    render: node => (node.row === 'group' ? renderGroup(node, listOf(node), context()) : render(node, context(), isFlat)),
    hover: async node => (node.row === 'resource' ? toHover(node.of, node.value, node.connection, context()) : ''),
    now: () => context().now,
  });
}

function renderGroup(node: GroupNode, list: ResourceList, context: PresentationContext): TreeRow {
  const title = node.of.title(context.translate);
  const { description, icon, color, spoken } = presentGroup(list, context);
  return {
    label: title,
    description,
    icon: icon ?? node.of.icon,
    color,
    abilities: node.parent === undefined ? 'group creatable' : 'group',
    spoken: spoken === '' ? title : `${title}, ${spoken}`,
    tooltip: spoken === '' ? title : `${title}: ${spoken}`,
    folding: 'collapsed',
    target: plainGroup(node),
  };
}

function render(node: Exclude<ResourcesNode, GroupNode>, context: PresentationContext, isFlat: boolean): TreeRow {
  const { t } = vscode.l10n;
  const plain = { description: '', color: undefined, abilities: '' };
  switch (node.row) {
    case 'local':
      return node.shown;
    case 'folder': {
      const { label, icon, description = '' } = node.folder;
      return { ...plain, label, description, icon, abilities: 'folder', spoken: label, tooltip: label, folding: 'collapsed' };
    }
    case 'resource':
      return renderResource(node, context);
    case 'remark':
      return { ...node.remark, target: plainReference(node) };
    case 'draft': {
      const { connection, kind, id, name } = node.draft;
      const uri = toResourceUri({ view: 'new', connection, kind, draftId: id }, `${name}.${node.ending}.json`);
      return {
        ...presentNew(name, context),
        tooltip: t('Draft, not published'),
        command: { command: 'vscode.open', title: t('Open Draft'), arguments: [uri] },
        target: uri,
      };
    }
    case 'more': {
      const id = isFlat ? 'managedAgents.agents.loadMore' : 'managedAgents.resources.loadMore';
      return loadMoreRow(node.problem, commandLink(id, t('Load More'), plainGroup(node.group)));
    }
    case 'note':
      return { ...plain, label: node.text, icon: node.isProblem ? 'warning' : 'info', spoken: node.text, tooltip: node.text };
  }
}

function renderResource(node: ResourceNode, context: PresentationContext): TreeRow {
  const { of, value, connection, sessionId, isDrafted, words } = node;
  const plain = of.row(value, context);
  const remarked = words === undefined ? plain : withRemarks(plain, words);
  const reference = plainReference(node);
  const command =
    sessionId === undefined
      ? commandLink('managedAgents.open', vscode.l10n.t('Open'), reference)
      : commandLink('managedAgents.session.open', vscode.l10n.t('Open Session'), { connection, sessionId });
  return {
    ...(isDrafted ? withDraft(remarked, context) : remarked),
    ...((words !== undefined || (of.children?.(value) ?? []).length > 0) && { folding: 'collapsed' }),
    ...(of.isFolder?.(value) !== true && { command }),
    target: { ...reference, ...(sessionId === undefined ? {} : { sessionId }), ...of.target?.(reference) },
    hoverVersion: String(value.updated_at),
    until: context.now + longestAge,
  };
}
