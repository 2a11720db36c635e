import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { exists } from '../../../common/asking/newFile';
import { askModal, showWarning } from '../../../common/asking/notifications';
import { type Report, withProgress } from '../../../common/asking/progress';
import { systemClock } from '../../../common/clock';
import { runCommand } from '../../../common/commands';
import { hostOf, nameWithHost } from '../../../common/text/presentation';
import type { RunReference } from '../../../contributions';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import { numberFormat } from '../../../shared/formats';
import { toLabel } from '../../../shared/text';
import { reach } from '../../connection';
import { type Run, type Submission, submissionFiles } from '../../ledger';
import { chooseRun } from '../chooseRun';
import type { RunDependencies } from '../runCommands';
import { baseName } from '../sourceNames';
import { describeTime } from '../submitting/createBatchMessages';
import { repeatsOf } from '../submitting/repeatsOf';
import { type GroupPlan, readGroupPlan, readParts } from './groupPlan';
import { type GroupOutcome, remainingParts, sendParts } from './sendGroup';
import { showSent } from './showSent';
import { allowGroup } from './stopGroup';

/** Sends the parts of a group that have no batch. */
export async function resume(deps: RunDependencies, target: RunReference | undefined): Promise<void> {
  const question = vscode.l10n.t('Send the remaining parts of which file?');
  // Menus hand over tree items, which carry more than a reference.
  await resumeGroup(deps, await chooseRun(deps.registry, target && { runId: target.runId }, question, hasRemaining));
}

function hasRemaining({ submissions, parts }: Run): boolean {
  return parts > 1 && submissions.some(({ state }) => state === 'created') && remainingParts(submissions, parts).length > 0;
}

/**
 * Sends the parts of a group that have no batch, after asking once. Refuses with a sentence when that cannot be done without paying twice
 * or sending something else: a part is being sent or its end is not known, or the file is no longer what the group was made from.
 */
async function resumeGroup(deps: RunDependencies, run: Run): Promise<void> {
  const name = toLabel(baseName(run.source), 80);
  if (!(await areSettled(run, name))) {
    return;
  }
  const indexes = remainingParts(run.submissions, run.parts);
  if (indexes.length === 0) {
    throw new Error(vscode.l10n.t('All parts of {0} were sent.', name));
  }
  const found = await readGroupPlan(deps.registry, run.lead.group?.id ?? '');
  if (found === undefined) {
    throw new Error(vscode.l10n.t('How {0} was cut is not known on this machine any more, so its remaining parts cannot be sent.', name));
  }
  const { plan, holder } = found;
  const client = await clientFor(deps, plan);
  const file = plan.fromEditor
    ? path.join(deps.registry.folder(holder.id), submissionFiles.editorCopy)
    : vscode.Uri.parse(plan.source).fsPath;
  const title = vscode.l10n.t('Checking {0}', name);
  const report = (await exists(file))
    ? await withProgress(title, deps.lifetime, (signal, tell) => check(deps, plan, file, signal, tell))
    : undefined;
  if (report?.sha256 !== plan.sha256) {
    await tellChanged(plan, name, report !== undefined);
    return;
  }
  const parts = await readParts(deps.jobs, report, plan, deps.registry.folder(holder.id));
  if (!(await confirm(deps, plan, indexes, name))) {
    return;
  }
  await allowGroup(deps.registry, plan.id);
  const outcome = await send(deps, { plan, client, file, report, parts, indexes, name });
  // Not awaited: the messages wait for the user, the command has ended.
  showSent(deps, vscode.Uri.parse(plan.source), outcome).catch(error => deps.log.error('A message could not be shown', error));
}

/** Whether the end of every part that was begun is known. Says what is to be done first when it is not. */
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
  const find = vscode.l10n.t('Show Submission Log');
  const message = vscode.l10n.t(
    'It is not known whether part {0} of {1} of {2} became a batch. Sent again it might run, and cost, twice: find out first.',
    numberOf(unknown),
    parts,
    name,
  );
  if ((await showWarning(message, find)) === find) {
    await runCommand('managedAgents.submission.resolve', { submissionId: unknown.id });
  }
  return false;
}

async function clientFor({ connections }: RunDependencies, plan: GroupPlan) {
  const { connection, client } = await reach(connections, plan.connection, 'change');
  // The emulator has another port each time it starts.
  if (!connection.isEmulator && new URL(client.baseUrl).origin !== plan.origin) {
    throw new Error(
      vscode.l10n.t(
        'The parts before were sent to {0}, and the connection {1} has another address now. Set it back to send the rest there.',
        toLabel(plan.origin, 200),
        toLabel(plan.connection, 80),
      ),
    );
  }
  return client;
}

async function check({ jobs, connections, rules }: RunDependencies, plan: GroupPlan, file: string, signal: AbortSignal, tell: Report) {
  const limits = connections.find(plan.connection)?.limits;
  if (limits === undefined) {
    throw new Error(vscode.l10n.t('The connection {0} of this group no longer exists. Add it again to send the rest.', plan.connection));
  }
  const terms = { limits, rules: rules.options(vscode.Uri.parse(plan.source)) };
  return await jobs.checkFile(file, terms, {
    signal,
    onProgress: ({ doneBytes, totalBytes }) => tell('', totalBytes === 0 ? 1 : doneBytes / totalBytes),
  });
}

async function tellChanged({ source, fromEditor }: GroupPlan, name: string, isThere: boolean): Promise<void> {
  const changed = vscode.l10n.t('Send What Changed');
  const why = isThere
    ? vscode.l10n.t('{0} is no longer what the parts before were made from.', name)
    : vscode.l10n.t('{0} is not there any more.', name);
  const message = vscode.l10n.t(
    '{0} Nothing was sent. Bring it back as it was to send the remaining parts; what was sent stays as it is.',
    why,
  );
  // What is there can still be compared with what was sent, and only the difference be sent.
  const choice = isThere && !fromEditor ? await showWarning(message, changed) : await showWarning(message);
  if (choice === changed) {
    await runCommand('managedAgents.batch.create', vscode.Uri.parse(source), 'changed');
  }
}

async function confirm(
  { connections, registry }: RunDependencies,
  plan: GroupPlan,
  indexes: readonly number[],
  name: string,
): Promise<boolean> {
  const number = numberFormat(vscode.env.language);
  const requests = indexes.reduce((sum, index) => sum + (plan.parts[index]?.requests ?? 0), 0);
  const { baseUrl = '' } = connections.find(plan.connection) ?? {};
  const others = newRepeats(plan, indexes, registry.all());
  const send = vscode.l10n.t('Send Remaining Parts');
  const detail = [
    vscode.l10n.t('Connection: {0}', nameWithHost({ name: plan.connection, host: hostOf({ baseUrl }) })),
    vscode.l10n.t('Requests: {0}', number.format(requests)),
    ...(others[0] === undefined
      ? []
      : [
          vscode.l10n.t(
            'Requests of this file were also sent by themselves, {0}. Sending them again costs again.',
            describeTime(others[0].startedAt, { locale: vscode.env.language }),
          ),
        ]),
  ].join('\n');
  const message =
    indexes.length === 1
      ? vscode.l10n.t('Send the remaining part of {0}, of {1}?', name, plan.parts.length)
      : vscode.l10n.t('Send the {0} remaining parts of {1}, of {2}?', indexes.length, name, plan.parts.length);
  return (await askModal(message, { detail }, send)) === send;
}

/** Submissions of the same requests that are no part of the group, and were not known of when it was begun. */
function newRepeats(plan: GroupPlan, indexes: readonly number[], submissions: readonly Submission[]): readonly Submission[] {
  const known = new Set(plan.knownBefore);
  return indexes.flatMap(index => {
    const part = plan.parts[index];
    const repeats =
      part === undefined
        ? []
        : repeatsOf(
            {
              sha256: plan.sha256,
              connection: plan.connection,
              origin: plan.origin,
              selection: { ...part, purpose: plan.purpose },
              group: { id: plan.id, index, count: plan.parts.length },
              ...(plan.follows && { follows: plan.follows }),
            },
            submissions,
          );
    return repeats.filter(({ id, group }) => !known.has(id) && group?.id !== plan.id);
  });
}

interface Ready {
  readonly plan: GroupPlan;
  readonly client: Awaited<ReturnType<typeof clientFor>>;
  readonly file: string;
  readonly report: BatchFileReport;
  readonly parts: Awaited<ReturnType<typeof readParts>>;
  readonly indexes: readonly number[];
  readonly name: string;
}

async function send(deps: RunDependencies, { plan, client, file, report, parts, indexes, name }: Ready): Promise<GroupOutcome> {
  const { registry, jobs, log, clock = systemClock, onBatchChanged, listedBatches } = deps;
  const submissionId = randomUUID();
  const known = [...plan.knownBefore, ...newRepeats(plan, indexes, registry.all()).map(({ id }) => id)];
  const title = vscode.l10n.t('Sending {0} to {1}', name, toLabel(plan.connection, 80));
  return await withProgress(title, deps.lifetime, (signal, tell) =>
    sendParts(
      { registry, jobs, clock, log, listedBatches },
      {
        ...{ submissionId, client, report, parts, indexes },
        connection: plan.connection,
        source: plan.source,
        path: file,
        fromEditor: plan.fromEditor,
        knownBefore: new Set(known),
        purpose: plan.purpose,
        groupId: plan.id,
        ...(plan.follows && { follows: plan.follows }),
      },
      {
        signal,
        onProgress: ({ share, index }) => tell(vscode.l10n.t('part {0} of {1}', index + 1, parts.length), share),
        onCreated: ({ batch }) => onBatchChanged?.(plan.connection, batch),
      },
    ),
  );
}
