import * as vscode from 'vscode';
import type { BatchFileReport } from '../../../jsonl/checking/batchFileReport';
import { type Submission, toSelection } from '../../ledger';
import type { BatchDependencies } from '../batchDependencies';
import { type Destination, describeSwitch } from '../destination';
import { repeatsOf } from '../submitting/repeatsOf';
import type { Outgoing } from './outgoing';
import { describeChange, type PreparedContent } from './preparedContent';

/** A checked file and where its requests would go. */
export interface Checked {
  readonly content: PreparedContent;
  readonly report: BatchFileReport;
  readonly isForeign: boolean;
  /** True if its requests contain transcripts of sessions. */
  readonly isAboutSessions: boolean;
  readonly destination: Destination;
  /** Severities of the rules at the time of the check. */
  readonly severities: string;
}

interface About extends Pick<BatchDependencies, 'registry' | 'connections' | 'rules'> {
  readonly target: vscode.Uri;
}

/** Returns the current submissions of the requests to send. */
export async function findRepeats(
  { registry }: Pick<About, 'registry'>,
  checked: Checked | undefined,
  outgoing: Outgoing | undefined,
): Promise<readonly Submission[]> {
  const connection = checked?.destination.connection?.name;
  if (checked === undefined || outgoing === undefined || connection === undefined) {
    return [];
  }
  await registry.reload();
  const { selected, purpose, follows, report } = outgoing;
  return repeatsOf(
    {
      ...{ sha256: report.sha256, connection, origin: checked.destination.origin },
      ...(selected && { selection: toSelection({ purpose, lines: selected.lines }) }),
      ...(follows && { follows }),
    },
    registry.all(),
  );
}

/** Describes in sentences what changed since the file was checked. */
export async function findChanges(
  { target, connections, rules }: About,
  checked: Checked | undefined,
  isToSend: boolean,
): Promise<readonly string[]> {
  if (checked === undefined) {
    return [];
  }
  const changes = [
    await describeChange(checked.content, target),
    describeSwitch(checked.destination, connections, isToSend),
    JSON.stringify(rules.options(target).severities) === checked.severities
      ? undefined
      : vscode.l10n.t('The severities of rules have changed.'),
  ];
  return changes.filter(change => change !== undefined);
}

/** Returns a key that changes with the submissions and their states. */
export function statesOf(repeats: readonly Submission[]): string {
  return repeats.map(({ id, state }) => `${id} ${state}`).join();
}
