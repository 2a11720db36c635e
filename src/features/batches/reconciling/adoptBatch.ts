import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import type { MessageBatch } from '../../../client/resources/messageBatches';
import type { ServiceClient } from '../../../client/serviceClient';
import { chooseFile } from '../../../common/asking/chooseFile';
import { askModal, type Offer, offer, showInformation } from '../../../common/asking/notifications';
import { toReport, withProgress } from '../../../common/asking/progress';
import { CancelledError } from '../../../common/cancellation';
import { runCommand } from '../../../common/commands';
import { fileNameOf } from '../../../common/files/fileNameOf';
import { describeTime } from '../../../common/text/presentation';
import type { BatchReference } from '../../../contributions';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import { toNumber } from '../../../shared/formats';
import { join, toLabel } from '../../../shared/text';
import { type Connection, reach } from '../../connection';
import { type Submission, submissionFiles } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { hasResults, totalOf } from '../batchPresentation';
import { baseName } from '../sourceNames';
import type { MessageContext } from '../submitting/createBatchMessages';
import { readContent } from '../submitting/createBatchTarget';
import { compareIds, type IdComparison } from './searchForBatch';

/** Comparison of a request file with a batch that was created elsewhere. */
export interface Fit {
  readonly batch: MessageBatch;
  readonly fileName: string;
  readonly requestCount: number;
  /** Number of non-empty lines without a request. */
  readonly invalidCount: number;
  /** Absent while the batch has no results. */
  readonly ids?: Pick<IdComparison, 'verdict' | 'compared' | 'known'>;
}

/**
 * Links a batch that was created elsewhere to its request file, so that its results can be joined with it. Checks the file, compares the
 * number of requests and, if there are results, the ids. Shows the outcome before anything is stored.
 */
export async function adoptBatch(deps: BatchDependencies, target: BatchReference): Promise<void> {
  const { t } = vscode.l10n;
  const { registry, connections } = deps;
  await registry.reload();
  const { connection, client } = await reach(connections, target.connection, 'read');
  const { data: batch } = await client.batches.retrieve(target.batchId);
  refuseKnown(registry.findByBatch(connection.name, batch.id));
  const file = await chooseFile(undefined, {
    question: t('Select the file of batch {0}', toLabel(batch.id, 80)),
    openLabel: t('Link'),
    fits: uri => !/\.results\.jsonl$/i.test(uri.path),
  });
  const id = randomUUID();
  try {
    const { report, fromEditor, ids } = await examine(deps, id, file, { connection, client, batch });
    const { fileBytes, sha256, requestCount, bodyBytes, invalidCount } = report;
    const fit: Fit = { batch, fileName: fileNameOf(file), requestCount, invalidCount, ids };
    const detail = describeFit(fit, { translate: t, locale: vscode.env.language });
    const [batchName, fileName] = [toLabel(batch.id, 80), toLabel(fit.fileName, 80)];
    if (requestCount === 0 || (ids?.verdict === 'different' && ids.compared > 0)) {
      throw new Error(t("Batch {0} doesn't match {1}. {2}", batchName, fileName, detail.split('\n').slice(0, 2).join(' ')));
    }
    const confirm = fits(fit) ? t('Link') : t('Link Anyway');
    if ((await askModal(t('Link batch {0} to {1}?', batchName, fileName), { detail }, confirm)) !== confirm) {
      throw new CancelledError();
    }
    const now = new Date().toISOString();
    const isLinked = (other: Submission) => other.batchId === batch.id && other.connection === connection.name;
    const submission: Submission = {
      ...{ id, connection: connection.name, origin: new URL(client.baseUrl).origin, source: file.toString() },
      ...(fromEditor ? { fromEditor } : {}),
      ...{ fileBytes, sha256, requestCount, bodyBytes, models: report.models.slice(0, 100), state: 'created' },
      startedAt: batch.created_at && !Number.isNaN(Date.parse(batch.created_at)) ? batch.created_at : now,
      steps: [{ what: 'linked', at: now, batchId: batch.id }],
      ...{ batchId: batch.id, batch },
    };
    const begun = await registry.begin(submission, () => registry.all().find(other => other.id !== id && isLinked(other)));
    if ('conflict' in begun) {
      refuseKnown(begun.conflict);
    } else {
      await begun.release();
      deps.onBatchChanged?.(connection.name, batch);
      reportLinked(deps, submission);
    }
  } finally {
    // Has no effect once the submission is linked.
    await registry.discard(id);
  }
}

async function examine(
  { registry, jobs, rules, lifetime }: BatchDependencies,
  id: string,
  file: vscode.Uri,
  { connection, client, batch }: { readonly connection: Connection; readonly client: ServiceClient; readonly batch: MessageBatch },
): Promise<{ readonly report: BatchFileReport; readonly fromEditor: boolean; readonly ids: Fit['ids'] }> {
  const folder = await registry.prepare(id);
  const linesPath = path.join(folder, submissionFiles.lines);
  const title = vscode.l10n.t('Comparing {0} with batch {1}', toLabel(fileNameOf(file), 80), toLabel(batch.id, 80));
  return await withProgress(title, lifetime, async (signal, reportProgress) => {
    const content = await readContent(file, async () => folder);
    const terms = { limits: connection.limits, rules: rules.options(file) };
    const report = await jobs.checkFile(content.path, terms, { signal, onProgress: toReport(reportProgress) });
    if (report.requestCount > 0) {
      // Writes the line map, as creating a batch does. The body is not sent.
      for await (const _ of jobs.requestBody({ path: content.path, report, linesPath }).open(signal)) {
        signal.throwIfAborted();
      }
    }
    const ids =
      hasResults(batch) && report.requestCount > 0
        ? await compareIds(await client.batches.results(batch.id, { signal }), linesPath)
        : undefined;
    return { report, fromEditor: content.fromEditor, ids };
  });
}

function refuseKnown(known: Submission | undefined): void {
  if (known !== undefined) {
    throw new Error(vscode.l10n.t('Batch {0} is linked to {1}.', toLabel(known.batchId ?? '', 80), toLabel(baseName(known.source), 80)));
  }
}

function reportLinked({ log }: BatchDependencies, { batchId = '', source, batch, connection }: Submission): void {
  const fetch: Offer = [vscode.l10n.t('Fetch Results'), () => runCommand('managedAgents.batch.fetchResults', { connection, batchId })];
  const message = vscode.l10n.t('Batch {0} is linked to {1}.', toLabel(batchId, 80), toLabel(baseName(source), 80));
  // Not awaited, because the command ends while the message is open.
  offer(showInformation, message, batch?.processing_status === 'ended' && fetch).catch(error =>
    log.error('A message could not be shown', error),
  );
}

/** Returns whether the file and the batch may belong together. Only ids can prove that file and batch belong together. */
export function fits({ batch, requestCount, ids }: Fit): boolean {
  return totalOf(batch.request_counts) === requestCount && (ids === undefined || ids.verdict === 'same');
}

/** Describes each match and each mismatch on a line of its own. */
export function describeFit({ batch, fileName, requestCount, invalidCount, ids }: Fit, context: MessageContext): string {
  const { translate: t, locale } = context;
  const file = toLabel(fileName, 80);
  const total = totalOf(batch.request_counts);
  const { verdict, compared = 0, known = 0 } = ids ?? {};
  const counts = [toNumber(compared, locale), toNumber(known, locale)] as const;
  return join(
    '\n',
    total === requestCount
      ? t('Match: same number of requests ({0}).', toNumber(total, locale))
      : t('No match: the batch has {0} requests, {1} has {2}.', toNumber(total, locale), file, toNumber(requestCount, locale)),
    invalidCount > 0 ? t('Lines of {1} without a request: {0}.', toNumber(invalidCount, locale), file) : '',
    compared === 0
      ? t("Can't compare the IDs yet.")
      : verdict === 'same'
        ? t('Match: all compared IDs are in {1} ({0}).', counts[0], file)
        : t('No match: {1} of {0} compared IDs are in {2}.', ...counts, file),
    batch.created_at ? t('Created {0}.', describeTime(batch.created_at, context)) : '',
    t('Linking changes nothing on the service.'),
  );
}
