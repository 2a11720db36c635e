import type { Translate } from '../../../common/text/translate';
import type { Translations } from '../../../shared/session/translateText';
import { resultsTexts } from '../panel/resultsTexts';

/**
 * English texts of the comparison's browser code, in addition to those shared with the results panel. A test checks that they are complete.
 */
export const comparisonTexts: readonly string[] = [
  'All',
  'Answer of A',
  'Answer of B',
  'B is',
  'Better',
  'Both answers',
  'Both answers to {0}',
  'Changed',
  'Details',
  'ID',
  'Only in A',
  'Only in B',
  'Requests of both runs',
  'Results of A',
  'Results of B',
  'Same',
  'Show Difference',
  'Show Differences in One Editor',
  'The whole comparison',
  'There are no requests here.',
  'There is no result of this request in A.',
  'There is no result of this request in B.',
  'Which requests',
  'Worse',
  'fails {0}',
  'missing',
  'new',
  'no result',
  'passes',
];

export function toComparisonTranslations(translate: Translate): Translations {
  return Object.fromEntries([...resultsTexts, ...comparisonTexts].map(text => [text, translate(text)]));
}
