import { readPrices } from '../../../common/readPrices';
import { readSetting } from '../../../common/settings';
import type { ChosenRequests } from '../submitting/chosenRequests';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { currentDestination } from './destination';
import { toPastOutput } from './pastOutput';
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
    chosen,
  }: Pick<CreateBatchDependencies, 'connections' | 'registry'> & { readonly chosen: ChosenRequests | undefined },
  { fileName, knowledge, survey, isSending, sending }: SheetStanding,
): SheetFacts {
  const { checked, revision, mode, repeats, changes, notice, isChecking } = knowledge;
  const { connection, host, limits } = checked?.destination ?? currentDestination(connections);
  return {
    ...{ revision, mode, fileName, repeats, changes, notice, isSending, limits, isChecking, sending, survey },
    isForeign: checked?.isForeign ?? false,
    outgoing: checked?.outgoing,
    chosen: chosen && { description: chosen.description, ...(chosen.note && { note: chosen.note.text }) },
    past: toPastOutput(registry.all(), connection?.name),
    fromEditor: checked?.content.fromEditor ?? false,
    connection: connection && { name: connection.name, host },
    report: checked?.report,
    prices: readPrices(readSetting('managedAgents.estimate.prices')),
    currency: readSetting('managedAgents.estimate.currency'),
    minimumCachedTokens: readSetting('managedAgents.estimate.minimumCachedTokens'),
  };
}
