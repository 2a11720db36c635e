import * as vscode from 'vscode';
import { toReport, withProgress } from '../../../common/asking/progress';
import type { ReadonlyDocuments } from '../../../common/documents/readonlyDocuments';
import type { BatchReference, RunReference } from '../../../contributions';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import { toLabel } from '../../../shared/text';
import type { SubmissionRegistry } from '../../ledger';
import { chooseShown } from '../chooseShown';
import { chooseOther } from './chooseOther';
import { ComparedPairs } from './comparedPairs';
import { type ComparedSide, toSides } from './comparedSide';
import { modelWords, toSummaryPage } from './comparePresentation';
import { walkPairs } from './walkPairs';

export interface CompareDependencies {
  readonly registry: SubmissionRegistry;
  readonly jobs: Pick<JsonlJobs, 'run' | 'joinResults'>;
  readonly documents: ReadonlyDocuments;
  readonly lifetime: AbortSignal;
}

/** Compares the results of a run with those of another one that the user chooses: a page that sums up, and a list of pairs to walk. */
export async function compareResults(
  { registry, jobs, documents, lifetime }: CompareDependencies,
  target: RunReference | BatchReference | vscode.Uri | undefined,
): Promise<void> {
  const { t } = vscode.l10n;
  const { run } = await chooseShown(registry, target, t('Compare the results of which batch?'));
  const other = await chooseOther(registry, run);
  const { sides, comparison } = await withProgress(t('Comparing results'), lifetime, async (signal, tell) => {
    const sides = await toSides({ registry, jobs, signal }, run, other);
    const source = { before: sides[0].results, after: sides[1].results };
    return { sides, comparison: await jobs.run('compareResults', source, { signal, onProgress: toReport(tell) }) };
  });
  const [before, after] = sides;
  if (comparison.pairedBy === 'nothing') {
    throw new Error(
      t(
        '{0} and {1} share no request: no id is in both, and none asks the same. Choose runs of the same file.',
        describe(before),
        describe(after),
      ),
    );
  }
  const pairs = await ComparedPairs.open(comparison, sides);
  const context = { translate: t, locale: vscode.env.language };
  const page = toSummaryPage(
    [before.facts, after.facts],
    comparison,
    kind => pairs.placesOf(kind, 20).map(place => pairs.at(place)),
    context,
  );
  const title = toTitle(before, after);
  const showSummary = async () => {
    await vscode.commands.executeCommand('markdown.showPreview', documents.create(`${title}.md`, page));
  };
  await showSummary();
  if (pairs.count > 0) {
    // The command has done its work; the list stays as long as the user walks it.
    void walkPairs({ pairs, documents, title, showSummary });
  }
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
  return toLabel(facts.name, 80);
}
