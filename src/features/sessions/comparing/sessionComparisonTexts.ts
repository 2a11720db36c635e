import type { Translate } from '../../../common/text/translate';
import type { Translations } from '../../../shared/session/sessionProtocol';

/** English texts of the browser code of a comparison of sessions. A test compares both. */
export const sessionComparisonTexts: readonly string[] = [
  'All Steps',
  'Answers',
  'Both sessions',
  'Both sessions, {0}',
  'Calls',
  'Differences',
  'Nothing differs.',
  'Open in Session A',
  'Open in Session B',
  'Others',
  'Refresh',
  'Show Difference',
  'Show Transcripts in Diff Editor',
  'The whole comparison',
  'There is nothing here.',
  'There is nothing like this in A.',
  'There is nothing like this in B.',
  'Turn',
  'Turn {0}',
  'Turn {0}: {1}',
  'Turns',
  'Turns of both sessions',
  'What',
  'What differs',
  'What is listed',
  'nothing',
];

/** What it shares with other panels. */
const sharedTexts: readonly string[] = [
  'Close (Escape)',
  'Copy Code',
  'Done',
  'Height of the pair',
  'Details',
  'Images of a text are not loaded.',
  'Links like this one are not opened.',
  'Next (Alt+Down)',
  'Previous (Alt+Up)',
  'Show Whole',
  'Show more ({0} left)',
  'Show more (1 line, {0} left)',
  'Show more ({0} lines, {1} left)',
  'Show the rest',
  'Show the rest (1 more line)',
  'Show the rest ({0} more lines)',
  'Show {0} more lines',
  'This is the beginning.',
  'To do',
  'image',
  '{0} of {1}',
  '{0}: {1}',
];

/** The texts in the user's language. */
export function toSessionComparisonTranslations(t: Translate): Translations {
  return Object.fromEntries([...sharedTexts, ...sessionComparisonTexts].map(text => [text, t(text)]));
}
