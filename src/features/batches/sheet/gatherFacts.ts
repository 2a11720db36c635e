import path from 'node:path';
import type * as vscode from 'vscode';
import { readEstimateSettings } from '../../../common/estimateSettings';
import { readSetting } from '../../../common/settings';
import type { ChosenRequests } from '../submitting/chosenRequests';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { currentDestination } from './destination';
import { toPastOutput } from './pastOutput';
import { toPastRuns } from './pastRuns';
import type { SendingState, SheetFacts, SurveyState } from './presentation/sheetFacts';
import type { SheetKnowledge } from './sheetKnowledge';

/** Where a sheet stands. */
export interface SheetStanding {
  readonly fileName: string;
  readonly knowledge: SheetKnowledge;
  readonly survey: SurveyState;
  readonly isSending: boolean;
  readonly sending: SendingState | undefined;
}

/** All that a sheet tells of, with the settings and the destination as they are now. */
export function gatherFacts(
  {
    connections,
    registry,
    rules,
    chosen,
    target,
  }: Pick<CreateBatchDependencies, 'connections' | 'registry' | 'rules'> & {
    readonly chosen: ChosenRequests | undefined;
    readonly target: vscode.Uri;
  },
  { fileName, knowledge, survey, isSending, sending }: SheetStanding,
): SheetFacts {
  const { checked, revision, mode, repeats, changes, notice, isChecking } = knowledge;
  const { connection, host, limits, baseUrl } = checked?.destination ?? currentDestination(connections);
  const estimate = readEstimateSettings();
  const models = checked?.outgoing.models.map(([model]) => model) ?? [];
  return {
    ...{ revision, mode, fileName, repeats, changes, notice, isSending, limits, isChecking, sending, survey },
    isForeign: checked?.isForeign ?? false,
    outgoing: checked?.outgoing,
    chosen: chosen && {
      description: chosen.description,
      ...(chosen.note && { note: chosen.note.text, hasWhy: chosen.note.showWhy !== undefined }),
    },
    past: toPastOutput(registry.all(), connection?.name, target.toString()),
    pastRuns: toPastRuns(registry.all(), { source: target.toString(), models, connection: connection?.name, prices: estimate.prices }),
    fromEditor: checked?.content.fromEditor ?? false,
    source: target.toString(),
    folder: target.scheme === 'file' ? path.dirname(target.fsPath) : undefined,
    connection: connection && {
      name: connection.name,
      host,
      ...(connection.userProfileId !== undefined && { userProfileId: connection.userProfileId }),
    },
    hasNoBatches: connection !== undefined && connections.served.has({ name: connection.name, baseUrl }, 'batches') === false,
    report: checked?.report,
    ...estimate,
    folderRules: rules.options(target).raisedByFolder ?? [],
    minimumCachedTokens: readSetting('managedAgents.estimate.minimumCachedTokens'),
  };
}
