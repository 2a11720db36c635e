/** Letters, digits, blanks and signs that no shell makes anything of, with quotes, which only group them. */
const plain = /^[A-Za-z0-9 _.,:=+@/'"-]*$/;

/** Commands that run what they are given: no beginning of theirs says what will run. */
const runners = new Set(
  'bash sh zsh dash ksh fish csh tcsh busybox env sudo su doas eval exec source . command builtin nohup setsid nice timeout time watch xargs find parallel ssh python python2 python3 perl ruby node deno bun php awk gawk sed osascript powershell pwsh cmd'.split(
    ' ',
  ),
);

/** Whether a rule can be made of a beginning: plain words that begin with the name of what runs, which itself runs nothing else. */
export function canBeginCommand(words: string): boolean {
  const first = words.split(' ')[0] ?? '';
  const name = first.slice(first.lastIndexOf('/') + 1);
  return plain.test(words) && words.trim() === words && !/['"=]/.test(first) && name !== '' && !runners.has(name.toLowerCase());
}

/**
 * Whether a shell runs one command that begins with these words, and no other: nothing in it chains, substitutes, redirects, expands or breaks
 * the line, and the words end where they do in the rule. What is not sure is not so.
 */
export function beginsCommand(command: string, words: string): boolean {
  if (!canBeginCommand(words) || command.length > longest || !plain.test(command) || !command.startsWith(words)) {
    return false;
  }
  const next = command[words.length];
  return (next === undefined || next === ' ') && hasWholeQuotes(command);
}

const longest = 10_000;

/** Whether every quote is closed: else a shell would wait for more, and what follows would belong to it. */
function hasWholeQuotes(command: string): boolean {
  let open: string | undefined;
  for (const character of command) {
    if (character === "'" || character === '"') {
      open = open === undefined ? character : open === character ? undefined : open;
    }
  }
  return open === undefined;
}
