import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import type { ConnectionProblem, Remedy } from '../probing/probeFinding';

/** Shows a problem and lets the user choose a remedy, with the most likely one first. */
export async function askRemedy(
  question: { readonly title: string; readonly canGoBack?: boolean },
  problem: ConnectionProblem,
  address: string,
): Promise<Remedy | 'save'> {
  const t = vscode.l10n.t;
  const remedies: readonly Choice<Remedy | 'save'>[] = [
    { label: `$(key) ${t('Enter Another API Key')}`, value: 'key' },
    { label: `$(edit) ${t('Change the Address')}`, description: address, value: 'address' },
    { label: `$(refresh) ${t('Try Again')}`, value: 'again' },
    { label: `$(save) ${t('Save Anyway')}`, description: t('can be edited later'), value: 'save' },
  ];
  const [likely, others] = [true, false].map(wanted => remedies.filter(({ value }) => (value === problem.remedy) === wanted));
  return askChoice<Remedy | 'save'>({
    ...question,
    placeholder: problem.headline,
    choices: [...(likely ?? []).map(choice => ({ ...choice, detail: problem.details })), separator(t('or')), ...(others ?? [])],
  });
}
