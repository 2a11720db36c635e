import { isRecord } from '../../../shared/isRecord';

/** Words of commands that delete, push, publish or deploy. They sort asks and guard nothing: a command without them comes later in the inbox. */
const words = new Set(
  'rm rmdir unlink shred dd mkfs truncate -delete push publish upload deploy destroy delete drop terminate uninstall --hard -xdelete -xpost -xput -xpatch post put patch'.split(
    ' ',
  ),
);
/** Words that count only after a program. */
const afterProgram: readonly (readonly [program: string, word: string])[] = [
  ['git', 'clean'],
  ['terraform', 'apply'],
  ['kubectl', 'apply'],
];
/** Words in the name of a tool that deletes, pays, sends or publishes. */
const tool = /delete|remove|destroy|drop|push|publish|deploy|pay|charge|refund|transfer|purchase|order|send|e?mail|merge/i;
const writing = /write|edit|create|patch|replace|move|rename/i;

/** Returns whether a call clearly can't be undone, by its tool and arguments: it deletes, pushes, pays, or writes outside the workspace. */
export function isIrreversible(name: string, argumentsText: string): boolean {
  const input = parse(argumentsText);
  if (name !== 'bash' && tool.test(name)) {
    return true;
  }
  const texts = Object.entries(isRecord(input) ? input : {}).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  if (texts.some(([field, text]) => /^(?:command|cmd|script|sql|query)$/.test(field) && isIrreversibleCommand(text))) {
    return true;
  }
  return writing.test(name) && texts.some(([field, text]) => /path|file|folder|target/i.test(field) && isOutside(text));
}

function isIrreversibleCommand(text: string): boolean {
  const found = new Set(text.toLowerCase().split(/[\s;&|()`"'=]/));
  return (
    [...found].some(word => words.has(word) || (word.split('/').at(-1) ?? '').startsWith('deploy')) ||
    afterProgram.some(([program, word]) => found.has(program) && found.has(word))
  );
}

/** Returns whether a path leads out of the workspace of an agent. */
function isOutside(path: string): boolean {
  return (
    path.split(/[\\/]/).includes('..') ||
    path.startsWith('~') ||
    (/^(?:\/|[A-Za-z]:)/.test(path) && !/^\/(?:workspace|tmp|mnt)\//.test(path))
  );
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The arguments were cut, so only their start is known.
    return { command: json };
  }
}
