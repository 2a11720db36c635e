import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, type Choice, separator } from '../../../common/asking/askSteps';
import { exists } from '../../../common/asking/newFile';
import { NothingToDoError } from '../../../common/asking/nothingToDo';
import { toReport, withProgress } from '../../../common/asking/progress';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { describeError } from '../../../common/text/describeError';
import type { ComparedResults, CompareSource } from '../../../jsonl/comparing/pairRows';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { JoinedResults } from '../../../jsonl/results/joinedResults';
import { ResultsIndex } from '../../../jsonl/results/resultsIndex';
import { comparisonStateSchema } from '../../../shared/comparison/fromComparisonSchema';
import { join, toLabel } from '../../../shared/text';
import { loadRunChoice } from '../../batches';
import { nameOfResults } from '../../batches/api';
import {
  type ChosenResults,
  chosenResultsOf,
  generationsOf,
  pathsOf,
  type Run,
  type RunResults,
  type SubmissionRegistry,
  submissionFiles,
  toRuns,
} from '../../ledger';
import { besideFilesOf, findShown, type ResultsTarget } from '../shownResults';
import { modelWords, type SideFacts, toComparisonHead } from './comparePresentation';
import { type CompareDependencies, ComparedPairs, ComparisonPanel } from './comparisonPanel';

/** One side of a comparison, with the chosen results. */
export interface ComparedSide {
  readonly run: Run;
  readonly withRetries: boolean;
  readonly facts: SideFacts;
  readonly results: ComparedResults;
}

interface SideSource {
  readonly registry: SubmissionRegistry;
  readonly jobs: Pick<JsonlJobs, 'run'>;
  readonly signal: AbortSignal;
}

/** Returns the two sides of a comparison, the older run first. For two sides of one run, the results without retries come first. */
export async function toSides(
  { registry, jobs, signal }: SideSource,
  one: ChosenResults,
  other: ChosenResults,
): Promise<readonly [before: ComparedSide, after: ComparedSide]> {
  const runs = toRuns(registry.all());
  const toSide = async (choice: ChosenResults): Promise<ComparedSide> => {
    const { run, withRetries } = choice;
    const { results, submissions = [] } = findShown(registry, { runId: run.id, withRetries }) ?? {};
    if (results === undefined) {
      throw new Error(vscode.l10n.t('Fetch the results first.'));
    }
    const joined = await usableResults({ registry, jobs, signal }, results);
    const sent = submissions.toReversed().map(({ id }) => ({
      hashesPath: path.join(registry.folder(id), submissionFiles.requestHashes),
      linesPath: path.join(registry.folder(id), submissionFiles.lines),
    }));
    const context = { translate: vscode.l10n.t, locale: vscode.env.language, now: Date.now() };
    return {
      ...{ run, withRetries },
      facts: {
        name: fileNameOf(vscode.Uri.parse(run.source)),
        title: nameOfResults(choice, runs, context),
        startedAt: run.startedAt,
        connection: run.connection,
        models: [...new Set(submissions.toReversed().flatMap(({ models = [] }) => models.map(([model]) => model)))],
      },
      results: { ...joined, sent },
    };
  };
  const startOf = ({ run }: ChosenResults) => Date.parse(run.startedAt);
  const isOlder = startOf(one) === startOf(other) ? !one.withRetries : startOf(one) < startOf(other);
  const [older, newer] = isOlder ? [one, other] : [other, one];
  return [await toSide(older), await toSide(newer)];
}

/** Returns the joined results of a run. Joins the raw results again if another run replaced the file. Throws if the results are gone. */
async function usableResults({ registry, jobs, signal }: SideSource, results: RunResults): Promise<JoinedResults> {
  const folder = registry.folder(results.submissionId);
  const joined = pathsOf(registry, results);
  if (await ResultsIndex.fits(joined.indexPath, joined.joinedPath)) {
    return joined;
  }
  const rawPath = path.join(folder, submissionFiles.rawResults);
  if (results.indexName !== submissionFiles.resultsIndex || !(await exists(rawPath))) {
    throw new Error(vscode.l10n.t('The results file is missing or has changed. Fetch the results again.'));
  }
  const again = { joinedPath: path.join(folder, 'compared.results.jsonl'), indexPath: path.join(folder, 'compared.index') };
  await jobs.run('joinResults', { ...again, rawPath, linesPath: path.join(folder, submissionFiles.lines) }, { signal });
  return again;
}

type Sides = readonly [before: ComparedSide, after: ComparedSide];

/** Compares the results of a run with results that the user chooses, in a panel with a summary and all pairs. */
export async function compareResults(deps: CompareDependencies, target: ResultsTarget): Promise<void> {
  const { registry } = deps;
  const { chooseResults } = await loadRunChoice();
  const one = await chooseResults(registry, target, vscode.l10n.t('Select a batch'));
  if (chosenResultsOf(toRuns(registry.all()), one) === undefined) {
    throw new Error(vscode.l10n.t('Fetch the results first.'));
  }
  await compareRuns(deps, one, await chooseOther(registry, one));
}

/** Restores the panel of a comparison after a window reload and compares again. Closes the panel if the comparison is not possible. */
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
    // The user did not start this comparison, so no message is shown.
    deps.log.warn(`A comparison could not be shown again: ${describeError(error)}`);
    panel.dispose();
  }
}

async function compareRuns(deps: CompareDependencies, one: ChosenResults, other: ChosenResults, panel?: vscode.WebviewPanel) {
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
  const pairs = await ComparedPairs.open(comparison, sides);
  const judgedBy = expectations && path.basename(expectations.path);
  const context = { translate: t, locale: vscode.env.language, ...readEstimateSettings() };
  const head = toComparisonHead({ title: toTitle(...sides), sides: [before.facts, after.facts], judgedBy }, comparison, context);
  new ComparisonPanel(deps, sides, pairs, head, panel);
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

/**
 * Asks for the results to compare with. Lists results of the same family first, then results of the same file. Throws if there are no other
 * results.
 */
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
    throw new NothingToDoError(t('Run the file again to compare its results.'));
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
