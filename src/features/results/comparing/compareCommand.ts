import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { exists } from '../../../common/asking/newFile';
import { NothingToDoError } from '../../../common/asking/nothingToDo';
import { toReport, withProgress } from '../../../common/asking/progress';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { describeError } from '../../../common/text/describeError';
import { join } from '../../../common/text/presentation';
import type { BatchReference, RunReference } from '../../../contributions';
import type { CompareSource } from '../../../jsonl/comparing/pairRows';
import { toLabel } from '../../../shared/text';
import { loadRunChoice } from '../../batches';
import { type ChosenResults, chosenResultsOf, generationsOf, type SubmissionRegistry, toRuns } from '../../ledger';
import { besideFilesOf } from '../shownResults';
import { ComparedPairs } from './comparedPairs';
import { type ComparedSide, toSides } from './comparedSide';
import { comparedCost, modelWords, toComparisonHead } from './comparePresentation';
import { type CompareDependencies, ComparisonPanel } from './comparisonPanel';
import { comparisonStateSchema } from '../../../shared/comparison/fromComparisonSchema';

type Sides = readonly [before: ComparedSide, after: ComparedSide];

/** Compares the results of a run with others that the user chooses, in a panel with a summary and all pairs. */
export async function compareResults(
  deps: CompareDependencies,
  target: RunReference | BatchReference | vscode.Uri | undefined,
): Promise<void> {
  const { registry } = deps;
  const { chooseResults } = await loadRunChoice();
  const one = await chooseResults(registry, target, vscode.l10n.t('Select a batch'));
  if (chosenResultsOf(toRuns(registry.all()), one) === undefined) {
    throw new Error(vscode.l10n.t('Fetch the results first.'));
  }
  await compareRuns(deps, one, await chooseOther(registry, one));
}

/** Restores the panel of a comparison after a window reload and compares again. Closes the panel if that is not possible. */
export async function restoreComparison(deps: CompareDependencies, panel: vscode.WebviewPanel, state: unknown): Promise<void> {
  try {
    const { runs: compared = [] } = comparisonStateSchema.catch({}).parse(state);
    await deps.registry.load();
    const runs = toRuns(deps.registry.all());
    const [one, other] = compared.map(({ runId, withRetries }) => {
      const run = runs.find(({ id }) => id === runId);
      return run && { run, withRetries };
    });
    if (one === undefined || other === undefined) {
      panel.dispose();
      return;
    }
    await compareRuns(deps, one, other, panel);
  } catch (error) {
    // The user did not start this, so no message is shown.
    deps.log.warn(`A comparison could not be shown again: ${describeError(error)}`);
    panel.dispose();
  }
}

async function compareRuns(
  deps: CompareDependencies,
  one: ChosenResults,
  other: ChosenResults,
  given?: vscode.WebviewPanel,
): Promise<void> {
  const { registry, jobs, lifetime } = deps;
  const { t } = vscode.l10n;
  const { sides, comparison, expectations } = await withProgress(t('Comparing results'), lifetime, async (signal, reportProgress) => {
    const sides = await toSides({ registry, jobs, signal }, one, other);
    const expectations = await findExpectations(sides);
    const source = { before: sides[0].results, after: sides[1].results, ...(expectations !== undefined && { expectations }) };
    return { sides, expectations, comparison: await jobs.run('compareResults', source, { signal, onProgress: toReport(reportProgress) }) };
  });
  const [before, after] = sides;
  if (comparison.pairedBy === 'nothing') {
    throw new Error(t('{0} and {1} have no requests in common.', describe(before), describe(after)));
  }
  const language = { translate: t, locale: vscode.env.language };
  const cost = comparedCost(comparison, [before.facts.models, after.facts.models], {
    ...language,
    ...readEstimateSettings(),
  });
  const words = { ...language, ...(cost !== undefined && { cost }) };
  const pairs = await ComparedPairs.open(comparison, sides);
  const judgedBy = expectations && path.basename(expectations.path);
  const head = toComparisonHead({ title: toTitle(...sides), sides: [before.facts, after.facts], judgedBy }, comparison, words);
  new ComparisonPanel(deps, sides, pairs, head, given);
}

async function findExpectations([before, after]: Sides): Promise<CompareSource['expectations']> {
  for (const [idsOf, { run }] of [
    ['after', after],
    ['before', before],
  ] as const) {
    const { expectationsPath } = besideFilesOf(run.source);
    if (expectationsPath !== undefined && (await exists(expectationsPath))) {
      return { path: expectationsPath, idsOf };
    }
  }
  return undefined;
}

function toTitle(before: ComparedSide, after: ComparedSide): string {
  const { t } = vscode.l10n;
  const [first, second] = [modelWords(before.facts.models), modelWords(after.facts.models)];
  if (first !== second && first !== '' && second !== '') {
    return t('{0} and {1}', first, second);
  }
  const [one, other] = [toLabel(before.facts.name, 40), toLabel(after.facts.name, 40)];
  return one === other ? t('Two runs of {0}', one) : t('{0} and {1}', one, other);
}

function describe({ facts }: ComparedSide): string {
  return toLabel(facts.title, 120);
}

/** Asks for the results to compare with. Lists those of the same family first, then those of the same file. Throws if there are none. */
async function chooseOther(registry: SubmissionRegistry, one: ChosenResults): Promise<ChosenResults> {
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
