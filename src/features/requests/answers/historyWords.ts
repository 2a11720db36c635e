import type { Translate } from '../../../common/text/translate';
import type { HistoryEntry } from '../../../jsonl/merging/resultsHistory';
import { toStatusWord } from '../../../shared/results/resultStatus';
import { toLabel } from '../../../shared/text';

/** Formats the result of a request in one run, such as `Run 2: succeeded, end_turn (shown)`. */
export function toHistoryWords({ generation, status, reason, isMerged, words }: HistoryEntry, t: Translate): string {
  const word = status === 'missing' ? t('no answer') : toStatusWord(status, t);
  const result = reason === undefined ? word : `${word}, ${toLabel(reason, 60)}`;
  if (words === 'other') {
    return t('Run {0}: {1} (different request)', generation + 1, result);
  }
  if (words === 'unknown') {
    return t('Run {0}: {1} (unknown request)', generation + 1, result);
  }
  return isMerged ? t('Run {0}: {1} (shown)', generation + 1, result) : t('Run {0}: {1}', generation + 1, result);
}
