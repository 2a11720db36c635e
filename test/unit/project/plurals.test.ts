import assert from 'node:assert/strict';
import { readStrings } from '../../l10n/readStrings.mjs';

/** Numbers that are never 1, by why. A text is named by its beginning. */
const neverOne: Readonly<Record<string, readonly string[]>> = {
  'a limit of a service or of ours': [
    '{0} must have',
    'A batch takes {0} requests',
    'A memory holds at most {0} bytes',
    'A message takes at most {0} files',
    'At most {0} files are uploaded',
    'At most {0} requests and {1} each',
    'It is longer than {0} characters',
    'None is chosen. The limits are those',
    'Only {0} agents were looked at',
    'The folder has more than {0} files',
    'The most frequent {0} of {1} causes',
    'The pattern is longer than',
    'The query has more than',
    'The query is longer than',
    'The reason is too long',
    'The store holds more than',
    'This is longer than {0} bytes',
    'This line is longer than {0} bytes',
    'This is nested deeper than',
    'What you pasted has {0} characters',
    '{0} holds more than {1} memories',
    '{0} of {1} characters.',
    '{0} requests are more than the {1}',
    'larger than {0} bytes',
  ],
  'one of it has words of its own where it is chosen': [
    '{0} hours',
    '{0} days',
    'Every {0} minutes',
    'every {0} hours',
    'every {0} days',
    'last {0} hours',
    'last {0} days',
    'as in your last {0} batches',
    'to {0} hosts',
    '{0} ({1} times, the last time then)',
    '{0} times, ',
    '{0} deployments missed runs',
    'Uploaded {0} of {1} files',
    '{0} things wait for you',
    '{0} holds {1} primers',
    '{0} lines of {1} alone are too large',
    'The contents of {0} of these files',
  ],
  'more than one, or there would be nothing to merge, choose from, send on or compare': [
    'A canary of {0}: {1} of its {2} requests',
    'All {0} batches of {1}',
    'By your prices of the setting {0}, which are for batches, the cost of {1} of {2} requests',
    'Intervals are widened for {0} tests',
    'Run {0} tests on this service?',
    '{0} has {1} requests of {2}',
    'Archive {0} sessions?',
    'Archiving {0} sessions',
    'Delete {0} sessions',
    'Deleting {0} sessions',
    'Exporting {0} sessions',
    'Interrupt {0} sessions?',
    'Interrupting {0} sessions',
    'It has {0} signatures',
    'How many of the {0} requests',
    'Merge these {0} files',
    'P-values are corrected for {0} tests',
    'Send the {0} remaining parts',
    'The first {0} of {1} lines',
    'These are the results of {0} of {1} parts',
    'What was sent of {0} ({1} of {2} batches)',
    'Wrote {0} of {1} files to',
    'Wrote {0} of {1} requests of {2}',
    '{0} batches that were made',
    '{0} of {1} batches',
    '{0} of {1} items were converted',
    '{0} of {1} memories were moved',
    '{0} of {1} parts',
    '{0} of {1} results',
    '{0} parts',
    'empty in {0} of {1} rows',
    '{0} to {1} requests',
    '{0} found in the first {1} memories',
    'Restore version',
  ],
  'a size or a sum that is far from 1': [
    '{0} ({1} bytes)',
    'The batch would have {0} bytes',
    'This request alone makes {0} bytes',
    'Its first message is the transcript as text',
    'likely {0} output tokens',
    '{0} input tokens.',
    'No requests begin with',
    '{0} requests to {1} begin',
    'Up to {0} input tokens',
    'The answer took {0} tokens',
    'The thinking budget of {0} tokens',
    'about {0} input tokens',
    'at most {0} tokens',
  ],
  'the word stands for two numbers': ['{0} → {1} tokens', '{0} input and {1} output tokens', '{0} input, {1} output tokens'],
  'the place is a name or words': [
    'Batch {0} with requests',
    'Delete all batches of {0} and their results',
    'Ids were written into {0}',
    'No batch of {0} runs.',
    'A message of the role {0}',
    'The agent asks for permission to call {0} with other arguments',
    'Write a copy of {0} with fixes to {1}?',
    '{0} {1} gets {2}',
  ],
};

/** Verbs and others that end like a plural. */
const noNouns =
  /^(?:as|asks|begins|contains|does|ends|exists|fits|gives|has|holds|is|its|knows|less|lists|makes|means|ms|names|needs|params|points|refuses|rejects|runs|says|seems|sends|shows|stands|status|takes|this|uses|waits|wants|was)$/;

describe('project/plurals', () => {
  const strings = readStrings();
  const exceptions = Object.values(neverOne).flat();
  const sides = ['src/webview/', 'src/contract/', 'src/jsonl/', 'src/shared/'];
  const roomOf = (file: string) => sides.find(side => file.startsWith(side)) ?? file;
  const rooms = new Map<string, string[]>();
  for (const [text, files] of strings) {
    for (const room of new Set(files.map(roomOf))) {
      rooms.set(room, [...(rooms.get(room) ?? []), text]);
    }
  }

  it('says one thing where it says several, in the same file or on the same side', () => {
    const lacking: string[] = [];
    for (const [text, files] of strings) {
      for (const noun of pluralsOf(text)) {
        const singular = new RegExp(`(?:\\b(?:1|one)|\\{\\d\\}) (?:[a-z-]+ ){0,2}${toSingular(noun)}\\b`, 'i');
        const isSaid = files.some(file => rooms.get(roomOf(file))?.some(other => singular.test(other)));
        const isList = files.every(file => /\w[tT]exts\.ts$/.test(file));
        if (!isSaid && !isList && !exceptions.some(beginning => text.startsWith(beginning))) {
          lacking.push(`${files[0]}: ${text}`);
        }
      }
    }
    assert.deepEqual(lacking, [], 'Say "1 thing" too, or name the text in neverOne with the reason.');
  });

  it('excuses no text that is not there', () => {
    assert.deepEqual(
      exceptions.filter(beginning => ![...strings.keys()].some(text => text.startsWith(beginning))),
      [],
    );
  });

  it('knows plurals when it sees them', () => {
    assert.deepEqual(pluralsOf('{0} batches of {1} runs'), ['batches']);
    assert.deepEqual(pluralsOf('Show {0} more lines, {1} long entries'), ['lines', 'entries']);
    assert.deepEqual(['batches', 'entries', 'requests', 'hashes', 'places', 'causes'].map(toSingular), [
      'batch',
      'entry',
      'request',
      'hash',
      'place',
      'cause',
    ]);
  });
});

/** The nouns that stand behind a number: up to two words may be between. */
function pluralsOf(text: string): readonly string[] {
  const behind = [...text.matchAll(/\{\d\} ((?:[a-z]+ ){0,2}?[a-z]+s)\b/g)].map(([, words = '']) => words.split(' ').at(-1) ?? '');
  // Lengths of texts in characters are limits.
  return [...new Set(behind.filter(word => !noNouns.test(word) && !(word === 'characters' && /\bmost \{\d\}/i.test(text))))];
}

function toSingular(noun: string): string {
  return noun
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x|ss)es$/, '$1')
    .replace(/s$/, '');
}
