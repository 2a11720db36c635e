import type { Translate } from '../../../common/text/translate';
import type { Translations } from '../../../shared/session/sessionProtocol';
import { answerTexts } from '../panel/words/answerTexts';

/** Every English text of the inbox's own browser code; its cards have those of a session's. A test compares both. */
export const inboxTexts: readonly string[] = [
  '1 answered by rule in 24 hours',
  '1 asked a question',
  '1 session that waits for you could not be read: {0}',
  'Allow These {0}',
  'Answer, as a message to the agent',
  'Asked a question',
  'Dismiss (N)',
  'Inbox',
  'Next (N)',
  'Next: {0} {1}, {2}',
  'Not Now (N)',
  'Not now',
  'Nothing waits for you.',
  'On the card',
  'Only the end of the message is shown here.',
  'Open Session',
  'Reading what waits…',
  'Send Answer',
  'The same tool and arguments in: {0}',
  'This is too long for one message.',
  'What waits for you',
  'With the focus on this card, R goes to the answer. Ctrl+Enter sends it.',
  'just now',
  '{0} answered by rule in 24 hours',
  '{0} asked a question',
  '{0} sessions that wait for you could not be read: {1}',
  '{0} waiting for you',
  '{0} waiting for you in the newest {1} sessions',
];

/** What the cards share with the rest of a session's panel. */
const cardTexts = ['{0} of {1}', 'Loading…', 'Open Change', 'Open in Editor', 'Result', 'Try Again'];

/** The texts in the user's language. */
export function toInboxTranslations(t: Translate): Translations {
  return Object.fromEntries([...answerTexts, ...cardTexts, ...inboxTexts].map(text => [text, t(text)]));
}
