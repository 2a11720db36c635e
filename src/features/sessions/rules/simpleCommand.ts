/** Letters, digits, spaces, characters that no shell expands, and quotes. */
const plain = /^[A-Za-z0-9 _.,:=+@/'"-]*$/;
/** Words without quotes. The first one has no equals sign: an assignment is not a program. */
const words = /^[A-Za-z0-9_.,:+@/-]+(?: [A-Za-z0-9_.,:=+@/-]+)*$/;
/** Longest command that is parsed, in characters. */
const longest = 10_000;

/**
 * Splits a command into its words, without their quotes. Returns `undefined` unless every shell runs it as one command: nothing in it chains,
 * substitutes, redirects or expands, and every quote is closed.
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

/** Returns whether a shell runs exactly one command, which starts with these plain words. Its other arguments can be anything. */
export function beginsCommand(command: string, start: string): boolean {
  return words.test(start) && (command === start || command.startsWith(`${start} `)) && wordsOf(command) !== undefined;
}
