import type * as vscode from 'vscode';
import { combine } from '../../common/disposables';
import type { Log } from '../../common/log';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { Connections } from '../connection';
import type { ChosenRuns, SubmissionRegistry } from '../ledger';
import { AnswerDecorations } from './answers/answerDecorations';
import { registerAnswerStatusItem } from './answers/answerStatusItem';
import { DocumentAnswers } from './answers/documentAnswers';
import { offerMovedAnswers } from './answers/movedFiles';
import { ResultsCodeLensProvider } from './answers/resultsCodeLensProvider';
import { SubmissionAnswerFiles } from './answers/submissionAnswerFiles';
import { ConversionLensProvider } from './converting/conversionLensProvider';
import type { RequestDocuments } from './documents/requestDocuments';
import { RequestCodeLensProvider } from './lenses/requestCodeLensProvider';
import { RestingCursors } from './lenses/restingCursors';

export interface DashboardDependencies {
  readonly documents: RequestDocuments;
  readonly connections: Connections;
  readonly registry: SubmissionRegistry;
  readonly chosenRuns: ChosenRuns;
  readonly jobs: JsonlJobs;
  readonly log: Log;
}

/** What a request file shows of itself and its answers: lenses, signs, hovers, status. Loaded when the first one is open. */
export interface Dashboard extends vscode.Disposable {
  readonly answers: DocumentAnswers;
}

export function createDashboard({ documents, connections, registry, chosenRuns, jobs, log }: DashboardDependencies): Dashboard {
  const answers = new DocumentAnswers(documents, registry, chosenRuns, new SubmissionAnswerFiles(registry, jobs), log);
  const cursors = new RestingCursors();
  const parts = combine(
    answers,
    cursors,
    new RequestCodeLensProvider(documents, connections, answers, cursors),
    new ResultsCodeLensProvider(registry, cursors),
    new ConversionLensProvider(),
    new AnswerDecorations(documents, answers, error => log.error('Could not show answers', error)),
    registerAnswerStatusItem(documents, answers),
    offerMovedAnswers(documents, registry, log),
  );
  return { answers, dispose: () => parts.dispose() };
}
