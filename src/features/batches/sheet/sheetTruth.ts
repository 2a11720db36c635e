import * as vscode from 'vscode';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import type { SheetMode } from '../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../shared/text';
import type { Submission } from '../../ledger';
import { earlierOf } from '../incremental/earlierOf';
import { type ChosenRequests, toSelection } from '../submitting/chosenRequests';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { repeatsOf } from '../submitting/repeatsOf';
import { type Destination, describeSwitch } from './destination';
import type { Outgoing } from './outgoing';
import { describeChange, type PreparedContent } from './preparedContent';

/** A file as it was checked, what of it would go, and where to. */
export interface Checked {
  readonly content: PreparedContent;
  readonly report: BatchFileReport;
  readonly outgoing: Outgoing;
  readonly isForeign: boolean;
  readonly destination: Destination;
  /** Of the rules, as the settings had them. */
  readonly severities: string;
}

interface About extends Pick<CreateBatchDependencies, 'registry' | 'connections' | 'rules'> {
  readonly target: vscode.Uri;
  readonly chosen: ChosenRequests | undefined;
}

/** Submissions that the ledger now has of what would be sent. */
export async function findRepeats({ registry, chosen }: About, checked: Checked | undefined): Promise<readonly Submission[]> {
  const connection = checked?.destination.connection?.name;
  if (checked === undefined || connection === undefined) {
    return [];
  }
  await registry.reload();
  const { sha256 } = checked.report;
  const selection = chosen && toSelection(chosen);
  return repeatsOf(
    {
      sha256,
      connection,
      origin: checked.destination.origin,
      ...(selection && { selection }),
      ...(chosen?.follows && { follows: chosen.follows }),
    },
    registry.all(),
  );
}

/** Sentences: what is no longer as it was when the file was checked. */
export async function findChanges(
  { target, connections, rules, chosen, registry }: About,
  checked: Checked | undefined,
  mode: SheetMode,
): Promise<readonly string[]> {
  if (checked === undefined) {
    return [];
  }
  const changes = [
    await describeChange(checked.content, target),
    chosen === undefined || chosen.sha256 === checked.report.sha256
      ? undefined
      : vscode.l10n.t('The file is no longer the one in which these requests were chosen. Close this and choose them again.'),
    chosen?.compared && (await describeNews(chosen.compared, { target, registry }, checked)),
    describeSwitch(checked.destination, connections, mode === 'create'),
    JSON.stringify(rules.options(target).severities) === checked.severities
      ? undefined
      : vscode.l10n.t('The severities of rules were changed since.'),
  ];
  return changes.filter(change => change !== undefined);
}

/** Why requests that were chosen by what was answered before may be others now; undefined when they are the same. */
async function describeNews(
  { connection, submissions }: NonNullable<ChosenRequests['compared']>,
  { target, registry }: Pick<About, 'target' | 'registry'>,
  { destination }: Checked,
): Promise<string | undefined> {
  if (destination.connection?.name !== connection) {
    return vscode.l10n.t(
      'These requests were chosen by what was answered over the connection {0}. Choose that connection, or close this and choose the requests again.',
      toLabel(connection, 80),
    );
  }
  await registry.reload();
  const known = new Set(submissions);
  return earlierOf(registry.all(), target.toString(), { connection, origin: destination.origin })?.submissions.some(
    ({ id }) => !known.has(id),
  )
    ? vscode.l10n.t('Requests of this file were sent since these were chosen. Close this and choose them again.')
    : undefined;
}

/** Differs when something else is known of the submissions. */
export function statesOf(repeats: readonly Submission[]): string {
  return repeats.map(({ id, state }) => `${id} ${state}`).join();
}
