import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice, askText, runSteps, type Step } from '../../../common/asking/askSteps';
import type { SampleBy, SampleSource } from '../../../jsonl/arranging/arrangingJobs';
import { toLabel } from '../../../shared/text';
import { count, createBatchOf, describeOthers, type FileWorkDependencies, placeBeside, tellWritten, withSource, work } from '../fileWork';
import { askSeed } from './shuffleRequestFile';

/** The command that writes some requests of a file to a new one, in the order of the file. */
export async function sampleFile(deps: FileWorkDependencies, given: vscode.Uri | undefined): Promise<void> {
  const { t } = vscode.l10n;
  await withSource(deps, given, { question: t('Take a sample of which file?'), openLabel: t('Sample') }, async source => {
    const wish = await askWish();
    const outPath = await placeBeside({ beside: source.uri, name: `${source.stem}.sample.jsonl`, title: t('Save the Sample') });
    const report = await work(deps, t('Taking a sample of {0}', source.name), 'sampleFile', { path: source.path, outPath, ...wish });
    const message = t(
      'Wrote {0} of {1} requests of {2} to {3}, chosen by seed {4}.',
      count(report.written),
      count(report.total),
      source.name,
      toLabel(path.basename(outPath), 80),
      wish.seed,
    );
    tellWritten(deps, `${message}${describeOthers(report, 'left out')}`, outPath, createBatchOf(outPath));
  });
}

async function askWish(): Promise<Omit<SampleSource, 'path' | 'outPath'>> {
  const { t } = vscode.l10n;
  const title = t('Sample Requests');
  let size: SampleSource['size'] = { count: 10 };
  let by: SampleBy = 'all';
  let seed = '';
  const askSeedStep: Step = async canGoBack => {
    seed = await askSeed(title, canGoBack);
    return undefined;
  };
  const askBy: Step = async canGoBack => {
    by = await askChoice<SampleBy>({
      title,
      placeholder: t('How should the sample be chosen?'),
      canGoBack,
      choices: [
        { label: t('From all alike'), detail: t('Every request has the same chance'), value: 'all' },
        { label: t('By model'), detail: t('Each model has its share of the sample'), value: 'model' },
        { label: t('By length'), detail: t('Short and long requests have their shares: ten groups by length'), value: 'length' },
      ],
    });
    return askSeedStep;
  };
  await runSteps(async canGoBack => {
    const text = await askText({
      title,
      prompt: t('How many requests, or which share of them: 10, or 5 %'),
      value: '10',
      canGoBack,
      validate: given => (toSize(given) === undefined ? t('Give a whole number of at least 1, or a share of up to 100 %.') : undefined),
    });
    size = toSize(text) ?? size;
    return askBy;
  });
  return { size, by, seed };
}

function toSize(text: string): SampleSource['size'] | undefined {
  const [, number = '', sign] = /^(\d{1,9}(?:[.,]\d{1,6})?)\s*(%?)$/.exec(text.trim()) ?? [];
  const value = Number(number.replace(',', '.'));
  if (sign === '%') {
    return value > 0 && value <= 100 ? { share: value / 100 } : undefined;
  }
  return Number.isSafeInteger(value) && value > 0 ? { count: value } : undefined;
}
