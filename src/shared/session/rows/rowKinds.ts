import type { Row, RowKind, ToolRow } from './rows';

/** How rows of one kind are shown. */
interface KindFacts<R extends Row> {
  /** Returns whether a row belongs to the conversation, and not only to everything that happened. */
  isConversation(row: R): boolean;
  /** Returns whether a row tells of something that went wrong. */
  isError(row: R): boolean;
  /** Returns whether a row has something to unfold. */
  isFoldable(row: R): boolean;
  readonly isOpenAtFirst?: true;
  /** The texts are Markdown. */
  readonly isProse?: true;
  /** A new session can continue from such a row. */
  readonly isStartable?: true;
}

const always = (): boolean => true;
const never = (): boolean => false;
const isUnsent = (row: { readonly delivery?: string }): boolean => row.delivery === 'failed';
const hasParts = (row: { readonly parts: readonly unknown[] }): boolean => row.parts.length > 0;
const hasDetails = (row: { readonly details?: unknown }): boolean => row.details !== undefined;

const message = { isConversation: always, isError: isUnsent, isFoldable: always, isOpenAtFirst: true, isProse: true } as const;
const note = { isConversation: never, isError: never, isFoldable: hasDetails } as const;

const kinds: { readonly [K in RowKind]: KindFacts<Row & { readonly kind: K }> } = {
  user: { ...message, isStartable: true },
  agent: { ...message, isStartable: true },
  system: message,
  thinking: {
    isConversation: row => row.preview === true || row.summary !== '',
    isError: never,
    isFoldable: hasParts,
    isProse: true,
  },
  tool: { isConversation: always, isError: row => row.state === 'failed', isFoldable: always, isStartable: true },
  status: { isConversation: row => isTurningPoint(row.status, row.stopReason), isError: never, isFoldable: never },
  error: { isConversation: always, isError: always, isFoldable: hasDetails },
  outcome: {
    isConversation: always,
    isError: isUnsent,
    isFoldable: row => row.description !== undefined || row.rubric !== undefined || row.explanation !== undefined,
    isOpenAtFirst: true,
  },
  model: { isConversation: row => row.isError, isError: row => row.isError, isFoldable: never },
  thread: { isConversation: row => row.step !== 'created' || hasParts(row), isError: never, isFoldable: hasParts, isProse: true },
  compaction: note,
  usage: note,
  update: { ...note, isConversation: row => row.changesAgent === true },
  unknown: { isConversation: always, isError: never, isFoldable: always },
  gap: { isConversation: always, isError: always, isFoldable: never },
};

/** Returns how rows of the kind of `row` are shown. */
export function kindOf(row: Row): KindFacts<Row> {
  return kinds[row.kind] as KindFacts<Row>;
}

/** Returns whether a change of state is worth a line in the conversation: not that work begins or ends, or that the user is asked. */
function isTurningPoint(status: string, stopReason: string | undefined): boolean {
  return (
    status !== 'running' &&
    (status !== 'idle' || !(stopReason === undefined || ['end_turn', 'requires_action', 'interrupted'].includes(stopReason)))
  );
}

/** What a timeline shows. */
export const rowFilters = ['conversation', 'everything', 'errors'] as const;
export type ShownRows = (typeof rowFilters)[number];

/** Returns whether a timeline that shows `shown` shows a row. */
export function isShown(row: Row, shown: ShownRows): boolean {
  return shown === 'everything' || (shown === 'errors' ? kindOf(row).isError(row) : kindOf(row).isConversation(row));
}

/** Returns whether a row waits for the user. */
export function isWaitingRow(row: Row): row is ToolRow {
  return row.kind === 'tool' && row.state === 'waiting';
}
