import type { TreeItem } from 'vscode';
import type { GroupReference, Reference } from '../../contributions';
import type { ResourceDraft } from './definitions/resourceDrafts';
import { groupKeyOf, keyOf, plainReference } from './reference';
import type { Remark } from './remarks';
import type { Folder, Resource, ResourceKind } from './resourceKind';

/** A group of things of one kind, on the connection or below one thing. As a command's argument it names it. */
export interface GroupNode extends GroupReference {
  readonly row: 'group';
  readonly of: ResourceKind;
}

/** A folder in a group, made of what the members say. */
export interface FolderNode {
  readonly row: 'folder';
  readonly group: GroupNode;
  /** Ids of the folders that lead here, its own last. */
  readonly path: readonly string[];
  readonly folder: Folder;
}

/** One thing. As a command's argument it names it, and its session where it has one. */
export interface ResourceNode extends Reference {
  readonly row: 'resource';
  readonly of: ResourceKind;
  readonly value: Resource;
  readonly sessionId?: string;
}

/** A thing that is only a draft. */
export interface DraftNode {
  readonly row: 'draft';
  readonly draft: ResourceDraft;
}

/** The last row of a list while the service has more of it. */
export interface MoreNode {
  readonly row: 'more';
  readonly group: GroupNode;
  readonly problem: string | undefined;
}

/** Says why a group shows nothing. */
export interface NoteNode {
  readonly row: 'note';
  readonly group: GroupNode;
  readonly text: string;
  readonly isProblem: boolean;
}

/** A row of something on this machine, which no service has. As a command's argument it names what it stands for. */
export interface LocalNode {
  readonly row: 'local';
  readonly item: TreeItem;
  readonly children: readonly LocalNode[];
  readonly deliveryKey?: string;
  readonly connection?: string;
  readonly sessionId?: string;
}

/** Something to know of a thing, told below it. As a command's argument it names the thing. */
export interface RemarkNode extends Reference {
  readonly row: 'remark';
  readonly remark: Remark;
}

/** A row of the Resources view. */
export type ResourcesNode = GroupNode | FolderNode | ResourceNode | RemarkNode | DraftNode | MoreNode | NoteNode | LocalNode;

/** Returns the groups below a thing. The members of an only group stand directly below the thing. */
export function groupsBelow(node: ResourceNode): readonly GroupNode[] {
  const { connection, of, value } = node;
  const parent = plainReference(node);
  return (of.children?.(value) ?? []).map(kind => ({ row: 'group', connection, kind: kind.kind, of: kind, parent }));
}

/** The group itself, as a command takes it. */
export function plainGroup({ connection, kind, parent }: GroupNode): GroupReference {
  return parent === undefined ? { connection, kind } : { connection, kind, parent };
}

/** The node of a thing in a group. */
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

/** The id of the row of a group or a thing. */
export function idOf(node: GroupNode | ResourceNode): string {
  return node.row === 'group' ? `group ${groupKeyOf(node.connection, node.kind, node.parent)}` : keyOf(node);
}

/** What a node stands for, as a text that no other has. */
export function keyOfNode(node: Exclude<ResourcesNode, LocalNode>): string {
  switch (node.row) {
    case 'group':
    case 'resource':
      return idOf(node);
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
