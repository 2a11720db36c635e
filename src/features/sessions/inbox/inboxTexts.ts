import type { Translate } from '../../../common/text/translate';
import type { Translations } from '../../../shared/session/sessionProtocol';
import { answerTexts } from '../panel/words/answerTexts';

/** Every English text of the inbox's own browser code; its cards have those of a session's. A test compares both. */
export const inboxTexts: readonly string[] = [
  '1 answered by rule in 24 hours',
  '1 question',
  '1 session could not be read: {0}',
  'Allow These {0}',
  'Cancel',
  'Confirm',
  'Dismiss (N)',
  'Inbox',
  'Last words of the agent',
  'Needs you',
  'Next (N)',
  'Next: {0} {1}, {2}',
  'Not Now (N)',
  'Not now',
  'Nothing needs you.',
  'On the card',
  'Only the end of the message is shown here.',
  'Open Session',
  'Questions',
  'Reply',
  'Send (Ctrl+Enter)',
  'The same tool and arguments in: {0}',
  "This can't be undone.",
  'This is too long for one message.',
  "can't be undone",
  'just now',
  '{0} answered by rule in 24 hours',
  '{0} asked a question',
  '{0} questions',
  '{0} sessions could not be read: {1}',
  '{0} waiting',
  '{0} waiting in the newest {1} sessions',
];

/** What the cards share with the rest of a session's panel. */
const cardTexts = ['{0} of {1}', 'Loading…', 'Open Change', 'Open in Editor', 'Result', 'Try Again'];

/** The texts in the user's language. */
export function toInboxTranslations(t: Translate): Translations {
  return Object.fromEntries([...answerTexts, ...cardTexts, ...inboxTexts].map(text => [text, t(text)]));
}
