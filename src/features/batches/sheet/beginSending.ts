import type * as vscode from 'vscode';
import type { ModelSurvey } from '../../../jsonl/survey/fileSurvey';
import type { ModelEstimate, Submission } from '../../ledger';
import type { ChosenRequests } from '../submitting/chosenRequests';
import type { CreateBatchDependencies } from '../submitting/createBatchDependencies';
import { clientOf } from './destination';
import type { SurveyState } from './presentation/sheetFacts';
import { Sending, type SendingRequest } from './sending';
import type { Checked } from './sheetTruth';

export interface SendingCircumstances {
  readonly connection: string;
  /** Submissions of the same that the sheet has told of. */
  readonly repeats: readonly Submission[];
  readonly survey: SurveyState;
  readonly isClosed: () => boolean;
  readonly onProgress: () => void;
}

/** Begins to send what a sheet shows: as one batch, or as a group of them. Nothing is sent when the sheet was closed meanwhile. */
export async function beginSending(
  options: CreateBatchDependencies & { readonly target: vscode.Uri; readonly chosen: ChosenRequests | undefined },
  { content, report, destination, outgoing }: Checked,
  { connection, repeats, survey, isClosed, onProgress }: SendingCircumstances,
): Promise<Sending | undefined> {
  const { chosen, target } = options;
  const client = await clientOf(destination, options.connections);
  if (client === undefined || isClosed()) {
    return undefined;
  }
  const { submissionId, path, fromEditor } = content;
  const { selected, parts } = outgoing;
  const request = {
    ...{ submissionId, connection, client, path, fromEditor, report },
    source: target.toString(),
    knownBefore: new Set(repeats.map(({ id }) => id)),
    ...(chosen?.follows && { follows: chosen.follows }),
    ...(survey.name === 'done' && { estimate: survey.survey.models.map(toEstimate) }),
  };
  const purpose = chosen?.purpose ?? 'part';
  const sent: SendingRequest =
    parts !== undefined
      ? { ...request, purpose, parts, chosen: selected?.lines }
      : { ...request, ...(selected && { selection: { purpose, requests: selected } }) };
  return new Sending(options, sent, onProgress);
}

function toEstimate({ model, input, maxOutput, cached5m, cached1h }: ModelSurvey): ModelEstimate {
  return { model, inputLow: input.low, inputHigh: input.high, maxOutput, cached5m, cached1h };
}
