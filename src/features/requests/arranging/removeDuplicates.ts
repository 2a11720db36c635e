import path from 'node:path';
import * as vscode from 'vscode';
import { askChoice } from '../../../common/asking/askSteps';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import type { DuplicatesReport, RepeatKind } from '../../../jsonl/arranging/arrangingJobs';
import { toLabel } from '../../../shared/text';
import {
  afterAnswer,
  count,
  createBatchOf,
  describeOthers,
  type FileWorkDependencies,
  placeBeside,
  requestsOf,
  tellWritten,
  withSource,
  work,
} from '../fileWork';
import { toDuplicatesReport } from './toDuplicatesReport';

/** The command that finds requests that repeat earlier ones, and writes a file without them when the user wants. */
export async function removeDuplicates(deps: FileWorkDependencies, given: vscode.Uri | undefined): Promise<void> {
  const { t } = vscode.l10n;
  const question = { question: t('Look for duplicates in which file?'), openLabel: t('Find Duplicates') };
  let found: { readonly uri: vscode.Uri; readonly name: string; readonly report: DuplicatesReport } | undefined;
  await withSource(deps, given, question, async source => {
    const report = await work(deps, t('Looking for duplicates in {0}', source.name), 'findDuplicates', { path: source.path });
    found = { ...source, report };
  });
  if (found === undefined) {
    return;
  }
  const { uri, name, report } = found;
  if (report.repeats.params === 0 && report.repeats.id === 0) {
    void showInformation(t('No duplicates among {0} of {1}.', requestsOf(report.requests), name));
    return;
  }
  await deps.reports.show(t('Duplicates in {0}', name), uri, toDuplicatesReport(name, report, t, vscode.env.language));
  const remove = t('Remove Later Copies...');
  afterAnswer(deps, showWarning(describe(name, report), remove), choice =>
    choice === remove ? writeUnique(deps, uri, report) : undefined,
  );
}

function describe(name: string, { repeats }: DuplicatesReport): string {
  const { t } = vscode.l10n;
  const sentences: string[] = [];
  if (repeats.params > 0) {
    sentences.push(
      repeats.params === 1
        ? t('1 request of {0} has the params of an earlier one.', name)
        : t('{0} requests of {1} have the params of an earlier one.', count(repeats.params), name),
    );
  }
  if (repeats.id > 0) {
    sentences.push(
      repeats.id === 1
        ? t('1 request of {0} has the id of an earlier one.', name)
        : t('{0} requests of {1} have the id of an earlier one.', count(repeats.id), name),
    );
  }
  return sentences.join(' ');
}

async function writeUnique(deps: FileWorkDependencies, uri: vscode.Uri, { repeats }: DuplicatesReport): Promise<void> {
  const { t } = vscode.l10n;
  const choices: readonly { readonly label: string; readonly detail: string; readonly value: RepeatKind }[] = [
    { label: t('With the same params'), detail: t('Whatever their ids: {0}', requestsOf(repeats.params)), value: 'params' },
    { label: t('With the same params and the same id'), detail: requestsOf(repeats.request), value: 'request' },
    {
      label: t('With the same id'),
      detail: t('Whatever their params: {0}. What only the later ones say is not in the new file', requestsOf(repeats.id)),
      value: 'id',
    },
  ];
  const by = await askChoice<RepeatKind>({
    title: t('Remove Duplicate Requests'),
    placeholder: t('Which later copies should be left out of the new file?'),
    choices: choices.filter(({ value }) => repeats[value] > 0),
  });
  await withSource(deps, uri, { question: '', openLabel: '' }, async source => {
    const outPath = await placeBeside({ beside: uri, name: `${source.stem}.unique.jsonl`, title: t('Save the Unique Requests') });
    const report = await work(deps, t('Removing duplicates of {0}', source.name), 'writeUnique', { path: source.path, outPath, by });
    const out = toLabel(path.basename(outPath), 80);
    const message =
      report.dropped === 1
        ? t('Wrote {0} to {1}, without 1 later copy. {2} is as it was.', requestsOf(report.written), out, source.name)
        : t(
            'Wrote {0} to {1}, without {2} later copies. {3} is as it was.',
            requestsOf(report.written),
            out,
            count(report.dropped),
            source.name,
          );
    tellWritten(deps, `${message}${describeOthers(report)}`, outPath, createBatchOf(outPath));
  });
}
