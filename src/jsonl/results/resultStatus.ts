import { hasAnswer, type ResultStatus } from '../../shared/results/resultStatus';

/** Statuses as an index stores them, by position. Append new statuses at the end. */
export const storedStatuses: readonly ResultStatus[] = [
  ...(['succeeded', 'failed', 'canceled', 'expired', 'other'] as const),
  ...(['cut_short', 'refused', 'empty'] as const),
];

/** True at the positions in `storedStatuses` for which the model answered. */
export const storedAnswers: readonly boolean[] = storedStatuses.map(hasAnswer);

export function toStored(status: ResultStatus): number {
  return storedStatuses.indexOf(status);
}

export const failedStatus = toStored('failed');

/** Returns the status at a position in `storedStatuses`, or `other` for a position that this version does not know. */
export function fromStored(position: number | undefined): ResultStatus {
  return storedStatuses[position ?? -1] ?? 'other';
}

const byType: ReadonlyMap<string, ResultStatus> = new Map([
  ['errored', 'failed'],
  ['canceled', 'canceled'],
  ['expired', 'expired'],
]);

const byStopReason: ReadonlyMap<string, ResultStatus> = new Map([
  ['max_tokens', 'cut_short'],
  ['model_context_window_exceeded', 'cut_short'],
  ['pause_turn', 'cut_short'],
  ['refusal', 'refused'],
  // The message contains a tool call, so it is not empty.
  ['tool_use', 'succeeded'],
]);

/** Classifies a result. All code must use this. `isEmpty` is only called if the status depends on it. */
export function statusOf(type: string | undefined, stopReason: string | undefined, isEmpty: () => boolean): ResultStatus {
  return type === 'succeeded'
    ? (byStopReason.get(stopReason ?? '') ?? (isEmpty() ? 'empty' : 'succeeded'))
    : (byType.get(type ?? '') ?? 'other');
}

/** Returns whether the `content` of a message is empty: it has no blocks, or only blank text and thinking. */
export function isEmptyContent(content: unknown): boolean {
  return !Array.isArray(content) || content.every(isEmptyBlock);
}

function isEmptyBlock(block: unknown): boolean {
  const { type, text } = (block ?? {}) as { readonly type?: unknown; readonly text?: unknown };
  const isBlank = typeof text !== 'string' || text.trim() === '';
  return type === 'thinking' || type === 'redacted_thinking' || ((type === 'text' || type === undefined) && isBlank);
}
