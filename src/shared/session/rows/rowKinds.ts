import type { Row, RowKind, ToolRow } from './rows';

interface KindFacts<R extends Row> {
  isConversation(row: R): boolean;
  isError(row: R): boolean;
  isFoldable(row: R): boolean;
  readonly isOpenAtFirst?: true;
  readonly isProse?: true;
  /** True if a new session can continue from a row of this kind. */
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
  run: { isConversation: always, isError: row => row.result === 'error', isFoldable: always, isOpenAtFirst: true },
  note: { ...note, isConversation: row => row.summary !== '' },
  usage: note,
  update: { ...note, isConversation: row => row.changesAgent === true },
  unknown: { isConversation: always, isError: never, isFoldable: always },
  gap: { isConversation: always, isError: always, isFoldable: never },
};

/** Returns the display rules for the kind of `row`. */
export function kindOf(row: Row): KindFacts<Row> {
  return kinds[row.kind] as KindFacts<Row>;
}

/** Returns whether a change of state is shown in the conversation. Starts, normal ends, asks and interruptions are not shown. */
function isTurningPoint(status: string, stopReason: string | undefined): boolean {
  return (
    status !== 'running' &&
    (status !== 'idle' || !(stopReason === undefined || ['end_turn', 'requires_action', 'interrupted'].includes(stopReason)))
  );
}

/** Filters of rows. `byService` shows only calls that the service decided itself. */
export const rowFilters = ['conversation', 'everything', 'errors', 'byService'] as const;
export type ShownRows = (typeof rowFilters)[number];

export function isShown(row: Row, shown: ShownRows): boolean {
  switch (shown) {
    case 'everything':
      return true;
    case 'errors':
      return kindOf(row).isError(row);
    case 'byService':
      return decisionOf(row) !== undefined;
    case 'conversation':
      return kindOf(row).isConversation(row);
  }
}

export function decisionOf(row: Row): ToolRow['decision'] {
  return row.kind === 'tool' ? row.decision : undefined;
}

export function isWaitingRow(row: Row): row is ToolRow {
  return row.kind === 'tool' && row.state === 'waiting';
}
