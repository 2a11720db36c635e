import type { TreeItem } from 'vscode';
import type { GroupReference, Reference } from '../../contributions';
import type { ResourceDraft } from './definitions/resourceDrafts';
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
