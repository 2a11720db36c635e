import type { RowKind } from '../../../shared/session/rows/rows';
import type { IconName } from '../controls/iconPaths';

export interface KindGroup {
  readonly id: string;
  /** Its English name, to be translated. */
  readonly name: string;
  readonly icon: IconName;
  readonly kinds: readonly RowKind[];
}

/** Kinds of rows as they are filtered: each kind belongs to one group. */
export const kindGroups: readonly KindGroup[] = [
  { id: 'messages', name: 'Messages', icon: 'message', kinds: ['user', 'agent', 'system'] },
  { id: 'thinking', name: 'Thinking', icon: 'thinking', kinds: ['thinking'] },
  { id: 'tools', name: 'Tools', icon: 'tool', kinds: ['tool'] },
  { id: 'errors', name: 'Errors', icon: 'error', kinds: ['error', 'gap'] },
  { id: 'outcomes', name: 'Outcomes', icon: 'outcome', kinds: ['outcome'] },
  { id: 'threads', name: 'Threads', icon: 'thread', kinds: ['thread'] },
  { id: 'status', name: 'Status', icon: 'idle', kinds: ['status'] },
  { id: 'model', name: 'Model', icon: 'model', kinds: ['model', 'usage'] },
  { id: 'other', name: 'Other', icon: 'braces', kinds: ['compaction', 'update', 'unknown'] },
];

/** Kinds that are shown when these groups are hidden; undefined when all are. */
export function shownKinds(hiddenGroups: ReadonlySet<string>): ReadonlySet<RowKind> | undefined {
  return hiddenGroups.size === 0 ? undefined : new Set(kindGroups.filter(({ id }) => !hiddenGroups.has(id)).flatMap(({ kinds }) => kinds));
}
