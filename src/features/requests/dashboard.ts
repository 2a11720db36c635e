import type * as vscode from 'vscode';
import { combine } from '../../common/disposables';
import type { Log } from '../../common/log';
import type { JsonlJobs } from '../../jsonl/jobs/jobs';
import type { Connections } from '../connection';
import type { ChosenRuns, SubmissionRegistry } from '../ledger';
import { AnswerDecorations } from './answers/answerDecorations';
import { DocumentAnswers } from './answers/documentAnswers';
import { offerMovedAnswers } from './answers/movedFiles';
import { registerRequestActs } from './answers/requestActs';
import type { RequestDocuments } from './documents/requestDocuments';
import { FileLensProvider } from './lenses/fileLensProvider';

export interface DashboardDependencies {
  readonly documents: RequestDocuments;
  readonly connections: Connections;
  readonly registry: SubmissionRegistry;
  readonly chosenRuns: ChosenRuns;
  readonly jobs: JsonlJobs;
  readonly log: Log;
}

/** Editor features of JSON Lines files: lenses, answers, and actions for a line. Loaded when the first file opens. */
export interface Dashboard extends vscode.Disposable {
  readonly answers: DocumentAnswers;
}

export function createDashboard({ documents, connections, registry, chosenRuns, jobs, log }: DashboardDependencies): Dashboard {
  const answers = new DocumentAnswers(documents, registry, chosenRuns, jobs, log);
  const parts = combine(
    answers,
    new FileLensProvider(documents, connections, answers),
    registerRequestActs(documents, answers),
    new AnswerDecorations(documents, answers, error => log.error('Could not show answers', error)),
    offerMovedAnswers(documents, registry, log),
  );
  return { answers, dispose: () => parts.dispose() };
}
