import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { NothingToDoError } from '../../../common/asking/nothingToDo';
import { join } from '../../../common/text/presentation';
import { loadRunChoice } from '../../batches';
import { type ChosenResults, generationsOf, type SubmissionRegistry, toRuns } from '../../ledger';
import { modelWords } from './comparePresentation';

/**
 * Asks which results to compare with. Results of the same family of runs come first, then those of the same file, then all others. Throws
 * an error with a message for the user if there are none, and a `CancelledError` if the user cancels.
 */
export async function chooseOther(registry: SubmissionRegistry, one: ChosenResults): Promise<ChosenResults> {
  const { t } = vscode.l10n;
  const { toChosenItems, toResultChoices } = await loadRunChoice();
  const runs = toRuns(registry.all());
  const toItem = toChosenItems(runs);
  const family = new Set(generationsOf(runs, one.run).map(({ id }) => id));
  const others = toResultChoices(runs).filter(
    ({ run, withRetries }) => withRetries !== one.withRetries || (run.id !== one.run.id && !(withRetries && family.has(run.id))),
  );
  if (others.length === 0) {
    throw new NothingToDoError(t('There is nothing to compare yet. Run the file again first.'));
  }
  const isSameFile = ({ run }: ChosenResults) => run.source === one.run.source;
  const isFamily = ({ run }: ChosenResults) => family.has(run.id);
  const groups: readonly (readonly [string, readonly ChosenResults[]])[] = [
    [t('Consecutive runs'), others.filter(isFamily)],
    [t('The same file'), others.filter(other => !isFamily(other) && isSameFile(other))],
    [t('Other files'), others.filter(other => !isFamily(other) && !isSameFile(other))],
  ];
  const choices = groups.flatMap(([label, members]): readonly Choice<ChosenResults>[] =>
    members.length === 0
      ? []
      : [
          separator(label),
          ...members.map(choice => {
            const item = toItem(choice);
            const models = (choice.run.lead.models ?? []).map(([model]) => model);
            return { ...item, description: join(' · ', item.description, modelWords(models)) };
          }),
        ],
  );
  const placeholder = t('Select results to compare');
  return await askChoice({ title: t('Compare Results'), placeholder, choices });
}
