import * as vscode from 'vscode';
import { commandLink } from '../../common/commands';
import { describeError } from '../../common/text/describeError';
import { type PresentationContext, toRow } from '../../common/text/presentation';
import { loadMoreRow, NodeTree, type TreeRow } from '../../common/tree/nodeTree';
import type { GroupReference, Reference } from '../../contributions';
import { toLabel } from '../../shared/text';
import { type Drafts, draftIdOf } from './definitions/drafts';
import { toResourceUri } from './documents/resourceUri';
import type { ResourceList, ResourceStore } from './lists/resourceList';
import { groupKeyOf, keyOf, type Resource, type ResourceKind } from './resourceKind';
import { presentGroup, type RemarksOf, toHover, withDraft, withRemarks } from './resourcePresentation';

/** Row of the Resources view. */
export interface ResourcesNode {
  /** Key of the row, unique in the tree. */
  readonly key: string;
  /** ID of the resource that the row shows. */
  readonly id?: string;
  render(): TreeRow;
  below?(): readonly ResourcesNode[];
  hover?(): string;
  /** Returns the list whose members are below the row. The list is polled while the row is expanded. */
  members?(): ResourceList | undefined;
  /** Returns the lists below the row whose titles have a summary. They are polled while the row is expanded. */
  summaries?(): readonly ResourceList[];
}

export type ResourcesTree = NodeTree<ResourcesNode>;

/** Maximum time between refreshes of a row that shows an age, in milliseconds. */
const longestAge = 20_000;

interface Sources {
  readonly store: ResourceStore;
  readonly drafts: Drafts;
  context(): PresentationContext;
  /** Returns whether the connection can be used. If it can't be used, the view shows the reason. */
  isReady(): boolean;
  /** Returns false if the service is known not to have a kind. True by default. */
  isServed?(kind: ResourceKind): boolean;
  local?(): readonly ResourcesNode[];
  readonly remarksOf?: RemarksOf;
  /** True for a view of one kind, whose members are at the top level. The view's own message explains why it is empty. */
  readonly isFlat?: boolean;
}

/** Creates the tree of the groups of a `ResourceStore`. A group is read when it is first expanded. */
export function createResourcesTree(sources: Sources): ResourcesTree {
  const rows = new ResourceRows(sources);
  return new NodeTree<ResourcesNode>({
    roots: () => rows.roots(),
    below: node => node.below?.() ?? [],
    // VS Code loses an expand event while it processes refreshed rows. The request for the children proves that the row is expanded.
    load: async node => {
      for (const list of node.summaries?.() ?? []) {
        void list.unfold();
      }
      await node.members?.()?.unfold();
    },
    key: ({ key }) => key,
    render: node => node.render(),
    hover: async node => node.hover?.() ?? '',
    now: () => sources.context().now,
  });
}

const plain = { description: '', color: undefined, abilities: '' };

class ResourceRows {
  private readonly cached = new WeakMap<Resource, { readonly state: string; readonly node: ResourcesNode }>();

  constructor(private readonly sources: Sources) {}

  roots(): readonly ResourcesNode[] {
    const { store, isReady, isServed = () => true, local = () => [], isFlat } = this.sources;
    const { connection } = store;
    const kinds = connection === undefined || !isReady() ? [] : store.kinds.filter(isServed);
    const groups = kinds.map(kind => store.listOf(connection ?? '', kind));
    const shown = isFlat === true ? groups.flatMap(group => this.knownMembers(group)) : groups.map(group => this.toGroupNode(group));
    return [...shown, ...local()];
  }

  private get context(): PresentationContext {
    return this.sources.context();
  }

  private knownMembers(group: ResourceList): readonly ResourcesNode[] {
    return group.isUnfolded ? [...this.toDraftNodes(group), ...this.membersAt(group, []), ...this.toLastNodes(group)] : [];
  }

  private toGroupNode(group: ResourceList): ResourcesNode {
    return {
      key: keyOfGroup(group),
      members: () => group,
      below: () => this.knownMembers(group),
      render: () => {
        const { kind, parent } = group;
        const title = kind.title(this.context.translate);
        const { description, icon = kind.icon, color, spoken } = presentGroup(group, this.context);
        return {
          ...{ label: title, description, icon, color },
          abilities: parent === undefined ? 'group creatable' : 'group',
          spoken: spoken === '' ? title : `${title}, ${spoken}`,
          tooltip: spoken === '' ? title : `${title}: ${spoken}`,
          folding: 'collapsed',
          target: toGroupReference(group),
        };
      },
    };
  }

  /** Returns the members of a group in the folder at `path`. Folders come first, as in file trees. */
  private membersAt(group: ResourceList, path: readonly string[]): readonly ResourcesNode[] {
    const rows: ResourcesNode[] = [];
    const folders = new Map<string, ResourcesNode>();
    for (const value of group.list.items) {
      const ownFolders = group.kind.folders?.(value, this.context) ?? [];
      const folder = ownFolders[path.length];
      if (path.some((id, depth) => ownFolders[depth]?.id !== id)) {
        continue;
      }
      if (folder === undefined) {
        rows.push(this.toResourceNode(group, value));
      } else {
        const { id, label, icon } = folder;
        const own = [...path, id];
        folders.set(id, {
          key: `folder ${keyOfGroup(group)} ${JSON.stringify(own)}`,
          render: () => ({ ...plain, label, icon, abilities: 'folder', spoken: label, tooltip: label, folding: 'collapsed' }),
          below: () => this.membersAt(group, own),
        });
      }
    }
    return [...folders.values(), ...rows];
  }

  /** Returns the node of a resource. Reuses the object while the row is unchanged. */
  private toResourceNode({ kind, connection, parent }: ResourceList, value: Resource): ResourcesNode {
    const { store, drafts, remarksOf } = this.sources;
    const reference: Reference = { connection, kind: kind.kind, id: value.id, ...(parent && { parent }) };
    const key = keyOf(reference);
    const isDrafted = kind.definition !== undefined && drafts.find(draftIdOf(reference)) !== undefined;
    const words = remarksOf?.(reference, this.context)?.words;
    const state = JSON.stringify([key, isDrafted, words]);
    const before = this.cached.get(value);
    if (before?.state === state) {
      return before.node;
    }
    const groups = () => (kind.children?.(value) ?? []).map(child => store.listOf(connection, child, reference));
    // A single group has no row. Its members are shown at its position.
    const members = () => {
      const [only, ...others] = groups();
      return others.length === 0 ? only : undefined;
    };
    const node: ResourcesNode = {
      key,
      id: value.id,
      members,
      summaries: () => groups().filter(list => list.kind.summary !== undefined),
      below: () => {
        const only = members();
        const remarks = remarksOf?.(reference, this.context)?.remarks ?? [];
        return [
          ...remarks.map(remark => ({ key: `remark ${key} ${remark.id}`, render: () => ({ ...remark, target: reference }) })),
          ...(only === undefined ? groups().map(group => this.toGroupNode(group)) : this.knownMembers(only)),
        ];
      },
      render: () => {
        const { context } = this;
        const row = kind.row(value, context);
        const remarked = words === undefined ? row : withRemarks(row, words);
        const sessionId = kind.session?.(value);
        const command =
          sessionId === undefined
            ? commandLink('managedAgents.open', vscode.l10n.t('Open'), reference)
            : commandLink('managedAgents.session.open', vscode.l10n.t('Open Session'), { connection, sessionId });
        return {
          ...(isDrafted ? withDraft(remarked, context) : remarked),
          ...((words !== undefined || (kind.children?.(value) ?? []).length > 0) && { folding: 'collapsed' }),
          ...(kind.isFolder?.(value) !== true && { command }),
          target: { ...reference, ...(sessionId !== undefined && { sessionId }), ...kind.target?.(reference) },
          hoverVersion: String(value.updated_at),
          until: context.now + longestAge,
        };
      },
      hover: () => toHover(kind, value, connection, this.context),
    };
    this.cached.set(value, { state, node });
    return node;
  }

  private toDraftNodes({ connection, kind }: ResourceList): readonly ResourcesNode[] {
    return this.sources.drafts
      .of(connection)
      .filter(draft => draft.kind === kind.kind && draft.resourceId === undefined)
      .map(({ id, name }) => ({
        key: `new ${id}`,
        render: () => {
          const fileName = `${name}.${kind.definition?.ending ?? kind.kind}.json`;
          const uri = toResourceUri({ view: 'new', connection, kind: kind.kind, draftId: id }, fileName);
          const tooltip = vscode.l10n.t('Draft, not published');
          const style = {
            icon: 'new-file',
            color: 'gitDecoration.addedResourceForeground',
            abilities: ['newResource', 'hasDraft'],
          };
          const command = { command: 'vscode.open', title: vscode.l10n.t('Open Draft'), arguments: [uri] };
          return { ...toRow(toLabel(name, 80), [tooltip], style), tooltip, command, target: uri };
        },
      }));
  }

  /** Returns the rows after the members. This is a row to load more, or a note that says why the group is empty. */
  private toLastNodes(group: ResourceList): readonly ResourcesNode[] {
    const { t } = vscode.l10n;
    const { isFlat = false } = this.sources;
    const { list, kind, parent } = group;
    const note = (label: string, icon: 'info' | 'warning'): readonly ResourcesNode[] =>
      isFlat && parent === undefined
        ? []
        : [{ key: `note ${keyOfGroup(group)}`, render: () => ({ ...plain, label, icon, spoken: label, tooltip: label }) }];
    if (list.state === 'unsupported') {
      const usual = parent === undefined ? t('Not supported by this service') : t('Not found on the service, possibly deleted');
      return note(kind.absent?.(t) ?? usual, 'info');
    }
    if (list.problem !== undefined && list.items.length === 0) {
      return note(t("Couldn't read: {0}", describeError(list.problem)), 'warning');
    }
    if (list.hasMore) {
      const problem = list.moreProblem === undefined ? undefined : describeError(list.moreProblem);
      const id = isFlat ? 'managedAgents.agents.loadMore' : 'managedAgents.resources.loadMore';
      const render = () => loadMoreRow(problem, commandLink(id, t('Load More'), toGroupReference(group)));
      return [{ key: `more ${keyOfGroup(group)}`, render }];
    }
    return list.state === 'empty' && this.toDraftNodes(group).length === 0 ? note(t('None yet'), 'info') : [];
  }
}

function keyOfGroup({ connection, kind, parent }: ResourceList): string {
  return `group ${groupKeyOf(connection, kind.kind, parent)}`;
}

function toGroupReference({ connection, kind, parent }: ResourceList): GroupReference {
  return { connection, kind: kind.kind, ...(parent && { parent }) };
}
