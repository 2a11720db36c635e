import type * as vscode from 'vscode';
import type { ModelSurvey } from '../../../jsonl/survey/fileSurvey';
import type { ModelEstimate, Submission } from '../../ledger';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { clientOf } from './destination';
import type { Outgoing } from './outgoing';
import type { SurveyState } from './presentation/sheetFacts';
import { Sending, type SendingRequest } from './sending';
import type { Checked } from './sheetTruth';

export interface SendingCircumstances {
  readonly target: vscode.Uri;
  readonly connection: string;
  /** Submissions of the same that the sheet has told of. */
  readonly repeats: readonly Submission[];
  readonly survey: SurveyState;
  readonly isClosed: () => boolean;
  readonly onProgress: () => void;
}

/** Begins to send what a sheet shows: as one batch, or as a group of them. Nothing is sent when the sheet was closed meanwhile. */
export async function beginSending(
  deps: CreateBatchDependencies,
  { destination }: Pick<Checked, 'destination'>,
  { content, report, selected, parts, purpose, follows }: Outgoing,
  { target, connection, repeats, survey, isClosed, onProgress }: SendingCircumstances,
): Promise<Sending | undefined> {
  const client = await clientOf(destination, deps.connections);
  if (client === undefined || isClosed()) {
    return undefined;
  }
  const { submissionId, path, fromEditor } = content;
  const request = {
    ...{ submissionId, connection, client, path, fromEditor, report },
    source: target.toString(),
    knownBefore: new Set(repeats.map(({ id }) => id)),
    ...(follows && { follows }),
    ...(survey.name === 'done' && { estimate: survey.survey.models.map(toEstimate) }),
  };
  const sent: SendingRequest =
    parts !== undefined
      ? { ...request, purpose, parts, chosen: selected?.lines }
      : { ...request, ...(selected && { selection: { purpose, requests: selected } }) };
  return new Sending(deps, sent, onProgress);
}

function toEstimate({ model, input, maxOutput, cached5m, cached1h }: ModelSurvey): ModelEstimate {
  return { model, inputLow: input.low, inputHigh: input.high, maxOutput, cached5m, cached1h };
}
