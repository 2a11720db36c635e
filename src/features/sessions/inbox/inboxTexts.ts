import type { Translate } from '../../../common/text/translate';
import type { Translations } from '../../../shared/session/sessionProtocol';
import { answerTexts } from '../panel/words/answerTexts';

/** Every English text of the inbox's own browser code; its cards have those of a session's. A test compares both. */
export const inboxTexts: readonly string[] = [
  '1 that is alike was not shown whole yet.',
  'Allow All {0} Alike',
  'Inbox',
  'Next (N)',
  'Next: {0} {1}, {2}',
  'Not Now (N)',
  'Not now',
  'Nothing waits for you.',
  'On the card',
  'Reading what waits…',
  'What waits for you',
  'just now',
  '{0} that are alike were not shown whole yet.',
  '{0} waiting for you',
];

/** What the cards share with the rest of a session's panel. */
const cardTexts = ['{0} of {1}', 'Loading…', 'Open Change', 'Open in Editor', 'Result', 'Try Again'];

/** The texts in the user's language. */
export function toInboxTranslations(t: Translate): Translations {
  return Object.fromEntries([...answerTexts, ...cardTexts, ...inboxTexts].map(text => [text, t(text)]));
}
