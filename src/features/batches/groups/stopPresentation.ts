import type { Translate } from '../../../common/text/translate';

/** What is done with all batches of a group. */
export type GroupAct = 'cancel' | 'delete';

/** What stayed of a group that was canceled or deleted. Parts are counted from 0. */
export interface GroupRest {
  /** Parts with which it failed, and why. */
  readonly failures: readonly { readonly part: number; readonly words: string }[];
  /** Parts that had left already: a batch can come of them all the same. */
  readonly open: readonly number[];
}

const mostNamed = 10;

/** The batches that an act is about, for its question; `id` is undefined for a part whose batch is not known yet. */
export function describeParts(parts: readonly { readonly id: string | undefined; readonly index: number }[], t: Translate): string {
  const named = parts.slice(0, mostNamed).map(({ id, index }) => id ?? t('part {0} (being sent)', index + 1));
  const more = parts.length > mostNamed ? [t('and {0} more', parts.length - mostNamed)] : [];
  return [...named, ...more].join(', ');
}

/** The button of the question: what becomes of so many batches, and of a part that is on its way. */
export function describeConfirm(
  act: GroupAct,
  { batches, isSending }: { readonly batches: number; readonly isSending: boolean },
  t: Translate,
): string {
  if (isSending) {
    if (batches === 0) {
      return t('Stop Sending');
    }
    if (act === 'cancel') {
      return batches === 1 ? t('Stop Sending and Cancel 1 Batch') : t('Stop Sending and Cancel {0} Batches', batches);
    }
    return batches === 1 ? t('Stop Sending and Delete 1 Batch') : t('Stop Sending and Delete {0} Batches', batches);
  }
  if (act === 'cancel') {
    return batches === 1 ? t('Cancel 1 Batch') : t('Cancel {0} Batches', batches);
  }
  return batches === 1 ? t('Delete 1 Batch') : t('Delete {0} Batches', batches);
}

/** What stayed of a group named `name`: a sentence for a notification, and a line for each part; undefined when nothing did. */
export function describeRest(
  act: GroupAct,
  name: string,
  { failures, open }: GroupRest,
  t: Translate,
): { readonly message: string; readonly detail: string } | undefined {
  if (failures.length === 0 && open.length === 0) {
    return undefined;
  }
  const sentences: string[] = [];
  if (failures.length > 0) {
    const [{ words } = { words: '' }] = failures;
    sentences.push(
      act === 'cancel'
        ? t('{0} of the batches of {1} could not be canceled: {2}', failures.length, name, words)
        : t('{0} of the batches of {1} could not be deleted: {2}', failures.length, name, words),
    );
  }
  if (open.length > 0) {
    const parts = open.map(part => part + 1).join(', ');
    sentences.push(
      open.length === 1
        ? t('Part {0} of {1} had left already and may become a batch.', parts, name)
        : t('Parts {0} of {1} had left already and may become batches.', parts, name),
    );
  }
  const lines = [
    ...failures.map(({ part, words }) => t('Part {0}: {1}', part + 1, words)),
    ...open.map(part => t('Part {0}: it had left already. If a batch comes of it, it is in the Batches view.', part + 1)),
  ];
  return { message: sentences.join(' '), detail: lines.join('\n') };
}
