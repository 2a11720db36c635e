import { ownValue } from '../../isRecord';
import type { Translate } from '../translateText';

/** Titles of the events that are shown as one line, by type. The line opens to the event's `text`, or to its fields as JSON. */
const titles: Readonly<Record<string, (t: Translate) => string>> = {
  'agent.thread_context_compacted': t => t('Compaction'),
};

export const noteEventTypes: readonly string[] = Object.keys(titles);

export function noteTitle({ type }: { readonly type: string }, t: Translate): string {
  return ownValue(titles, type)?.(t) ?? type;
}
