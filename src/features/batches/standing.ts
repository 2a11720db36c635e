import { generationsOf, type Run, resultsOf } from '../ledger';

/** What a run can do as one of several, as words that menus match: `showable`, `canary`. */
export function standingOf(runs: readonly Run[], run: Run): string {
  const family = generationsOf(runs, run);
  let known = standings.get(run);
  if (known?.family.length !== family.length || known.family.some((one, index) => one !== family[index])) {
    known = { family, words: wordsOf(family, run) };
    standings.set(run, known);
  }
  return known.words;
}

/** What was said of a run, as long as none of its family is another one. */
const standings = new WeakMap<Run, { readonly family: readonly Run[]; readonly words: string }>();

function wordsOf(family: readonly Run[], run: Run): string {
  const words: string[] = [];
  const add = (word: string, has: boolean) => has && words.push(word);
  add('showable', resultsOf(run) !== undefined);
  add('canary', run.lead.selection?.purpose === 'canary' && !hasRest(family));
  return words.join(' ');
}

/** Whether the rest behind a canary was sent; one that came to nothing was not. */
export function hasRest(family: readonly Run[]): boolean {
  return family.some(
    ({ follows, submissions }) =>
      follows?.purpose === 'rest' && submissions.some(({ state }) => state !== 'failed' && state !== 'abandoned'),
  );
}
