import path from 'node:path';
import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { toReport, withProgress } from '../../../common/asking/progress';
import type { CacheTtl, MarkReport, SharedPrefix } from '../../../jsonl/survey/fileSurvey';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { newPathBeside } from '../fetching/siblingNames';
import { nameOf } from '../submitting/createBatchTarget';
import type { ActContext } from './sheetActs';

/** Writes a copy of the file with `cache_control` after one shared prefix, or after all listed ones, and offers to send it. */
export async function writeMarkedCopy(context: ActContext, id: string | undefined, ttl: CacheTtl): Promise<void> {
  const { jobs, content, target, lifetime } = context;
  const prefixes = prefixesOf(context, id);
  const outPath = await newPathBeside(target, 'cached', vscode.l10n.t('Save the Marked Requests'));
  const report = await withProgress(vscode.l10n.t('Writing {0}', toLabel(path.basename(outPath), 80)), lifetime, (signal, tell) =>
    jobs.run('markPrefixes', { path: content.path, outPath, prefixes, ttl }, { signal, onProgress: toReport(tell) }),
  );
  await offer(context, outPath, describeMarked(path.basename(outPath), report));
}

/** Writes the requests that fill the cache with one shared prefix, or with all listed ones, and offers to send them. */
export async function writePrimer(context: ActContext, id: string | undefined): Promise<void> {
  const { jobs, content, target, lifetime } = context;
  const prefixes = prefixesOf(context, id);
  const outPath = await newPathBeside(target, 'primer', vscode.l10n.t('Save the Primer'));
  const { requests } = await withProgress(vscode.l10n.t('Writing {0}', toLabel(path.basename(outPath), 80)), lifetime, (signal, tell) =>
    jobs.run('writePrimer', { path: content.path, outPath, prefixes, ttl: '1h' }, { signal, onProgress: toReport(tell) }),
  );
  const name = toLabel(path.basename(outPath), 80);
  await offer(
    context,
    outPath,
    requests === 1
      ? vscode.l10n.t('{0} holds the primer. When its batch has ended, send the requests that are marked for 1 hour.', name)
      : vscode.l10n.t('{0} holds {1} primers. When their batch has ended, send the requests that are marked for 1 hour.', name, requests),
  );
}

function prefixesOf({ survey, target }: ActContext, id: string | undefined): readonly SharedPrefix[] {
  const meant = (survey?.prefixes ?? []).filter(prefix => (id === undefined ? prefix.marked < prefix.requests : prefix.id === id));
  if (meant.length === 0) {
    throw new Error(vscode.l10n.t('The estimate of {0} is out of date. Estimate again.', toLabel(nameOf(target), 80)));
  }
  return meant;
}

function describeMarked(name: string, report: MarkReport): string {
  const number = numberFormat(vscode.env.language);
  const parts = [
    report.requests === 1
      ? vscode.l10n.t('{0}: cache_control was inserted into 1 request.', toLabel(name, 80))
      : vscode.l10n.t('{0}: cache_control was inserted into {1} requests.', toLabel(name, 80), number.format(report.requests)),
  ];
  if (report.full > 0) {
    parts.push(
      report.full === 1
        ? vscode.l10n.t('1 place was left as it is, because its request has four markers already.')
        : vscode.l10n.t('{0} places were left as they are, because their requests have four markers already.', number.format(report.full)),
    );
  }
  if (report.otherTtl > 0) {
    parts.push(
      report.otherTtl === 1
        ? vscode.l10n.t('1 marker got the lifetime of those around it.')
        : vscode.l10n.t('{0} markers got the lifetime of those around them.', number.format(report.otherTtl)),
    );
  }
  return parts.join(' ');
}

async function offer({ showSheet }: ActContext, outPath: string, message: string): Promise<void> {
  const file = vscode.Uri.file(outPath);
  const open = vscode.l10n.t('Open File');
  const create = vscode.l10n.t('Create Batch...');
  const choice = await showInformation(message, create, open);
  if (choice === create) {
    await showSheet(file);
  } else if (choice === open) {
    await vscode.commands.executeCommand('vscode.open', file);
  }
}
