/**
 * Programs that only read and print, with the options under which they run no other program and write no file. Options are letters that can
 * be combined, then long names, which can have a value. The user decides about unlisted options. Not listed are programs whose
 * configuration or environment can run other programs: git (pagers, hooks, drivers, fsmonitor), rg (`--pre` in its configuration), less and
 * man. Package managers, build tools and programs that write to a file argument (uniq, tee) are not listed either.
 */
export const readingPrograms: ReadonlyMap<string, string> = new Map([
  ['cat', '-AETbenstuv'],
  [
    'grep',
    '-ABCEFGHILPRabcehilmnoqrsvwx0123456789 --color --count --exclude --exclude-dir --files-with-matches --ignore-case --include --line-number',
  ],
  ['head', '-cnqv0123456789 --bytes --lines'],
  ['ls', '-AFRSadghilnoprst1 --all --almost-all --color --human-readable --recursive --reverse --sort'],
  ['pwd', '-LP'],
  ['tail', '-cnqv0123456789 --bytes --lines'],
  ['wc', '-Lclmw --bytes --chars --lines --words'],
]);

/**
 * Returns the program of a command that only reads, and its allowed options. Returns `undefined` for other commands. Every word that starts
 * with a hyphen must be a listed option of the program, even after `--` and even as the value of another option.
 */
export function parseReadingCommand(command: string): { readonly program: string; readonly options: string } | undefined {
  const [program = '', ...rest] = wordsOf(command) ?? [];
  const options = readingPrograms.get(program);
  return options !== undefined && rest.every(word => !word.startsWith('-') || isOption(word, options)) ? { program, options } : undefined;
}

function isOption(word: string, options: string): boolean {
  const [letters = '', ...names] = options.split(' ');
  return word.startsWith('--')
    ? names.includes(word.replace(/=.*/, ''))
    : word.length > 1 && Array.from(word).every(letter => letters.includes(letter)) && !word.includes('-', 1);
}

/** Letters, digits, spaces, characters that no shell expands, and quotes. */
const plain = /^[A-Za-z0-9 _.,:=+@/'"-]*$/;
/** Words without quotes. The first word has no equals sign, because an assignment is not a program. */
const words = /^[A-Za-z0-9_.,:+@/-]+(?: [A-Za-z0-9_.,:=+@/-]+)*$/;
/** Maximum length of a command that is parsed, in characters. */
const longest = 10_000;

/**
 * Splits a command into its words, without their quotes. Returns `undefined` unless every shell runs it as one command. Nothing in the
 * command may chain, substitute, redirect or expand, and every quote must be closed.
 */
export function wordsOf(command: string): readonly string[] | undefined {
  if (command.length > longest || !plain.test(command)) {
    return undefined;
  }
  const found: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (const character of command) {
    if (quote !== undefined || character === "'" || character === '"') {
      word ??= '';
      if (quote === undefined) {
        quote = character;
      } else if (quote === character) {
        quote = undefined;
      } else {
        word += character;
      }
    } else if (character !== ' ') {
      word = (word ?? '') + character;
    } else if (word !== undefined) {
      found.push(word);
      word = undefined;
    }
  }
  return quote === undefined ? [...found, ...(word === undefined ? [] : [word])] : undefined;
}

/** Returns whether a shell runs `command` as exactly one command that starts with the plain words of `start`. */
export function beginsCommand(command: string, start: string): boolean {
  return words.test(start) && (command === start || command.startsWith(`${start} `)) && wordsOf(command) !== undefined;
}
