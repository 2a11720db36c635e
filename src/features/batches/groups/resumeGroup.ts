import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { exists } from '../../../common/asking/newFile';
import { askModal, type Offer, offer, showWarning } from '../../../common/asking/notifications';
import { toReport, withProgress } from '../../../common/asking/progress';
import { runCommand } from '../../../common/commands';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { readSetting } from '../../../common/settings';
import { describeTime, hostOf, nameWithHost } from '../../../common/text/presentation';
import type { RunReference } from '../../../contributions';
import { numberFormat } from '../../../shared/formats';
import { join, toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import { type Run, type Submission, sentPathOf, toRuns } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { chooseRun } from '../chooseRun';
import { toLog } from '../reconciling/askAboutUnknown';
import { baseName } from '../sourceNames';
import { describeLimit, limitOfRest, toOverLimitLabel, toSpendLimit } from '../spendLimit';
import { repeatsOf } from '../submitting/repeatsOf';
import { allowGroup, type GroupPlan, readGroupPlan, readParts, remainingParts, sendParts } from './sendRun';
import { showSent } from './showSent';

/**
 * Sends the parts of a run that have no batch, after asking once. Refuses if a part is being sent or its outcome is unknown, because
 * requests could be sent twice. Also refuses if the file has changed.
 */
export async function resume(deps: BatchDependencies, target: RunReference | undefined): Promise<void> {
  const { registry, jobs, log } = deps;
  const question = vscode.l10n.t('Select a file to send its remaining parts');
  const isResumable = ({ submissions, parts }: Run) =>
    parts > 1 && submissions.some(({ state }) => state === 'created') && remainingParts(submissions, parts).length > 0;
  // Menus pass tree items, which have more fields than a reference.
  const run = await chooseRun(registry, target && { runId: target.runId }, question, isResumable);
  const name = toLabel(baseName(run.source), 80);
  if (!(await areSettled(run, name))) {
    return;
  }
  const indexes = remainingParts(run.submissions, run.parts);
  if (indexes.length === 0) {
    throw new Error(vscode.l10n.t('All parts of {0} were sent.', name));
  }
  const found = await readGroupPlan(registry, run.lead.group?.id ?? '');
  if (found === undefined) {
    throw new Error(vscode.l10n.t("Can't send the remaining parts of {0}: the record of its split is missing.", name));
  }
  const { plan, holder } = found;
  const { connection: reached, client } = await reach(deps.connections, plan.connection, 'change');
  // The emulator gets a new port at each start.
  if (!reached.isEmulator && new URL(client.baseUrl).origin !== plan.origin) {
    throw new Error(vscode.l10n.t('The connection {0} no longer points to {1}.', toLabel(plan.connection, 80), toLabel(plan.origin, 200)));
  }
  const file = sentPathOf(registry, { ...plan, id: holder.id }) ?? '';
  const terms = { limits: reached.limits, rules: deps.rules.options(vscode.Uri.parse(plan.source)) };
  const report = (await exists(file))
    ? await withProgress(vscode.l10n.t('Checking {0}', name), deps.lifetime, (signal, reportProgress) =>
        jobs.checkFile(file, terms, { signal, onProgress: toReport(reportProgress) }),
      )
    : undefined;
  if (report?.sha256 !== plan.sha256) {
    await reportChanged(plan, name, report !== undefined);
    return;
  }
  const parts = await readParts(jobs, report, plan, registry.folder(holder.id));
  const repeats = newRepeats(plan, indexes, registry.all());
  if (!(await confirm(deps, plan, run, { indexes, name, repeat: repeats[0] }))) {
    return;
  }
  await allowGroup(registry, plan.id);
  const { connection, source, fromEditor, purpose, follows } = plan;
  const sending = vscode.l10n.t('Sending {0} to {1}', name, toLabel(connection, 80));
  const outcome = await withProgress(sending, deps.lifetime, (signal, reportProgress) =>
    sendParts(
      deps,
      {
        ...{ submissionId: randomUUID(), client, report, parts, indexes, connection, source, path: file, fromEditor, purpose },
        knownBefore: new Set([...plan.knownBefore, ...repeats.map(({ id }) => id)]),
        groupId: plan.id,
        ...(follows && { follows }),
      },
      {
        signal,
        onProgress: ({ share, index }) => reportProgress(vscode.l10n.t('part {0} of {1}', index + 1, parts.length), share),
        onCreated: ({ batch }) => deps.onBatchChanged?.(connection, batch),
      },
    ),
  );
  // Not awaited, because the messages wait for the user, but the command is done.
  showSent(deps, vscode.Uri.parse(source), outcome).catch(error => log.error('A message could not be shown', error));
}

/**
 * Returns whether the outcome of each started part is known. If an outcome is unknown, shows the user what to do first. Throws an error for
 * the user if a part is being sent.
 */
async function areSettled({ submissions, parts }: Run, name: string): Promise<boolean> {
  const numberOf = ({ group }: Submission) => (group?.index ?? 0) + 1;
  const sending = submissions.find(({ state }) => state === 'sending');
  if (sending !== undefined) {
    throw new Error(vscode.l10n.t('Part {0} of {1} of {2} is being sent.', numberOf(sending), parts, name));
  }
  const unknown = submissions.find(({ state }) => state === 'unknown');
  if (unknown === undefined) {
    return true;
  }
  const message = vscode.l10n.t(
    'Part {0} of {1} of {2} may have become a batch. Check it first: if you send it again, it may run and be charged twice.',
    numberOf(unknown),
    parts,
    name,
  );
  await offer(showWarning, message, toLog(unknown));
  return false;
}

async function reportChanged({ source, fromEditor }: GroupPlan, name: string, isThere: boolean): Promise<void> {
  const why = isThere
    ? vscode.l10n.t('{0} has changed since its first parts were sent.', name)
    : vscode.l10n.t('File not found: {0}', name);
  const message = vscode.l10n.t('{0} Nothing was sent. Restore the file to send the remaining parts.', why);
  // If the file still exists, the changed requests can be sent instead.
  const send: Offer = [
    vscode.l10n.t('Send Changed Requests'),
    () => runCommand('managedAgents.batch.create', vscode.Uri.parse(source), 'changed'),
  ];
  await offer(showWarning, message, isThere && !fromEditor && send);
}

async function confirm(
  { connections, registry }: BatchDependencies,
  plan: GroupPlan,
  run: Run,
  { indexes, name, repeat }: { readonly indexes: readonly number[]; readonly name: string; readonly repeat: Submission | undefined },
): Promise<boolean> {
  const { t } = vscode.l10n;
  const locale = vscode.env.language;
  const countOf = (some: readonly { readonly requests: number }[]) => some.reduce((sum, { requests }) => sum + requests, 0);
  const requests = countOf(indexes.flatMap(index => plan.parts[index] ?? []));
  const { prices, currency } = readEstimateSettings();
  const limit = toSpendLimit(readSetting('managedAgents.spend.limit'));
  const exceeded = limitOfRest(run, requests / countOf(plan.parts), toRuns(registry.all()), prices, limit);
  const context = { translate: t, locale, currency };
  const send = exceeded === undefined ? t('Send Remaining Parts') : toOverLimitLabel(exceeded, context);
  const { baseUrl = '' } = connections.find(plan.connection) ?? {};
  const when = repeat === undefined ? '' : describeTime(repeat.startedAt, { locale });
  const detail = join(
    '\n',
    t('Connection: {0}', nameWithHost({ name: plan.connection, host: hostOf({ baseUrl }) })),
    t('Requests: {0}', numberFormat(locale).format(requests)),
    exceeded === undefined ? '' : describeLimit(exceeded, context),
    when === '' ? '' : t("Some of these requests were also sent separately, {0}. You'll be charged again.", when),
  );
  const message =
    indexes.length === 1
      ? t('Send the remaining part of {0}, of {1}?', name, plan.parts.length)
      : t('Send the {0} remaining parts of {1}, of {2}?', indexes.length, name, plan.parts.length);
  return (await askModal(message, { detail }, send)) === send;
}

/** Returns the submissions outside the group that sent the same requests and were not known when the plan was made. */
function newRepeats(plan: GroupPlan, indexes: readonly number[], submissions: readonly Submission[]): readonly Submission[] {
  const { id, sha256, connection, origin, purpose, follows, parts } = plan;
  const known = new Set(plan.knownBefore);
  return indexes.flatMap(index => {
    const part = parts[index];
    const sent = { sha256, connection, origin, follows, group: { id, index, count: parts.length } };
    const repeats = part === undefined ? [] : repeatsOf({ ...sent, selection: { ...part, purpose } }, submissions);
    return repeats.filter(one => !known.has(one.id) && one.group?.id !== id);
  });
}
