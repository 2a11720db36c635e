import type { TreeRow } from '../../common/tree/nodeTree';
import type { GroupReference, Reference } from '../../contributions';
import type { Draft } from './definitions/drafts';
import { groupKeyOf, keyOf, plainReference } from './reference';
import type { Folder, Resource, ResourceKind } from './resourceKind';
import type { Remark } from './resourcePresentation';

/** Group of resources of one kind, on the connection or below one resource. */
export interface GroupNode extends GroupReference {
  readonly row: 'group';
  readonly of: ResourceKind;
}

/** Folder in a group, derived from the members. */
export interface FolderNode {
  readonly row: 'folder';
  readonly group: GroupNode;
  /** IDs of the folders from the top, this one last. */
  readonly path: readonly string[];
  readonly folder: Folder;
}

export interface ResourceNode extends Reference {
  readonly row: 'resource';
  readonly of: ResourceKind;
  readonly value: Resource;
  readonly sessionId?: string;
  readonly isDrafted?: boolean;
  readonly words?: string | undefined;
}

/** Resource that exists only as a draft. */
export interface DraftNode {
  readonly row: 'draft';
  readonly draft: Draft;
  /** Extension of the draft's document, without `.json`. */
  readonly ending: string;
}

/** Last row of a list that has more pages. */
export interface MoreNode {
  readonly row: 'more';
  readonly group: GroupNode;
  readonly problem: string | undefined;
}

/** Row that says why a group shows nothing. */
export interface NoteNode {
  readonly row: 'note';
  readonly group: GroupNode;
  readonly text: string;
  readonly isProblem: boolean;
}

/** Row of something that exists only on this machine. */
export interface LocalNode {
  readonly row: 'local';
  readonly key: string;
  readonly shown: TreeRow;
  readonly children: readonly LocalNode[];
}

/** Remark below a resource. */
export interface RemarkNode extends Reference {
  readonly row: 'remark';
  readonly remark: Remark;
}

/** Row of the Resources view. */
export type ResourcesNode = GroupNode | FolderNode | ResourceNode | RemarkNode | DraftNode | MoreNode | NoteNode | LocalNode;

/** Returns the groups below a resource. If there is only one, the view shows its members directly below the resource. */
export function groupsBelow(node: ResourceNode): readonly GroupNode[] {
  const { connection, of, value } = node;
  const parent = plainReference(node);
  return (of.children?.(value) ?? []).map(kind => ({ row: 'group', connection, kind: kind.kind, of: kind, parent }));
}

/** Returns the group itself, as a command argument. */
export function plainGroup({ connection, kind, parent }: GroupNode): GroupReference {
  return parent === undefined ? { connection, kind } : { connection, kind, parent };
}

/** Returns the node of a resource in a group. */
export function toNode(group: GroupNode, value: Resource): ResourceNode {
  const { connection, kind, of, parent } = group;
  const sessionId = of.session?.(value);
  return {
    row: 'resource',
    connection,
    kind,
    id: value.id,
    of,
    value,
    ...(parent === undefined ? {} : { parent }),
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}

export function idOf(node: GroupNode | ResourceNode): string {
  return node.row === 'group' ? `group ${groupKeyOf(node.connection, node.kind, node.parent)}` : keyOf(node);
}

/** Returns a key that is unique to what a node represents. */
export function keyOfNode(node: ResourcesNode): string {
  switch (node.row) {
    case 'group':
    case 'resource':
      return idOf(node);
    case 'local':
      return node.key;
    case 'remark':
      return `remark ${keyOf(node)} ${node.remark.id}`;
    case 'draft':
      return `new ${node.draft.id}`;
    case 'folder':
      return `folder ${idOf(node.group)} ${JSON.stringify(node.path)}`;
    case 'more':
    case 'note':
      return `${node.row} ${idOf(node.group)}`;
  }
}
