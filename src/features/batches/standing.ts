import { generationsOf, type Run, resultsOf } from './ledger/runs';

/** What a run can do as one of several, as words that menus match: `showable`, `hasGenerations`, `canary`. */
export function standingOf(runs: readonly Run[], run: Run): string {
  const family = generationsOf(runs, run);
  const hasRest = family.some(({ follows }) => follows?.runId === run.id && follows.purpose === 'rest');
  const words: string[] = [];
  const add = (word: string, has: boolean) => has && words.push(word);
  add('showable', resultsOf(run) !== undefined);
  add('hasGenerations', family.filter(one => resultsOf(one) !== undefined).length > 1);
  add('canary', run.lead.selection?.purpose === 'canary' && !hasRest);
  return words.join(' ');
}
