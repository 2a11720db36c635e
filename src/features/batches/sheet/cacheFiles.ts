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
  const outPath = await newPathBeside(target, 'cached', vscode.l10n.t('Save Requests'));
  const report = await withProgress(vscode.l10n.t('Writing {0}', toLabel(path.basename(outPath), 80)), lifetime, (signal, tell) =>
    jobs.run('markPrefixes', { path: content.path, outPath, prefixes, ttl }, { signal, onProgress: toReport(tell) }),
  );
  await offer(context, outPath, describeMarked(path.basename(outPath), report));
}

/** Writes the requests that fill the cache with one shared prefix, or with all listed ones, and offers to send them. */
export async function writePrimer(context: ActContext, id: string | undefined): Promise<void> {
  const { jobs, content, target, lifetime } = context;
  const prefixes = prefixesOf(context, id);
  const outPath = await newPathBeside(target, 'primer', vscode.l10n.t('Save Requests'));
  const { requests } = await withProgress(vscode.l10n.t('Writing {0}', toLabel(path.basename(outPath), 80)), lifetime, (signal, tell) =>
    jobs.run('writePrimer', { path: content.path, outPath, prefixes, ttl: '1h' }, { signal, onProgress: toReport(tell) }),
  );
  const name = toLabel(path.basename(outPath), 80);
  await offer(context, outPath, vscode.l10n.t('Primers in {0}: {1}. Send them first.', name, requests));
}

function prefixesOf({ survey, target }: ActContext, id: string | undefined): readonly SharedPrefix[] {
  const meant = (survey?.prefixes ?? []).filter(prefix => (id === undefined ? prefix.marked < prefix.requests : prefix.id === id));
  if (meant.length === 0) {
    throw new Error(vscode.l10n.t('The estimate of {0} is out of date.', toLabel(nameOf(target), 80)));
  }
  return meant;
}

function describeMarked(name: string, report: MarkReport): string {
  const number = numberFormat(vscode.env.language);
  const parts = [vscode.l10n.t('{0}: requests marked for the cache: {1}.', toLabel(name, 80), number.format(report.requests))];
  if (report.full > 0) {
    parts.push(vscode.l10n.t('Skipped, because requests have four markers: {0}.', number.format(report.full)));
  }
  if (report.otherTtl > 0) {
    parts.push(vscode.l10n.t('Lifetimes adjusted: {0}.', number.format(report.otherTtl)));
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
