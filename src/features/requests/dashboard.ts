import { combine } from '../../common/disposables';
import type { ChosenRuns, SubmissionRegistry } from '../ledger';
import { registerAnswerDecorations, registerRequestActs } from './answers/answerDecorations';
import { DocumentAnswers } from './answers/documentAnswers';
import { offerMovedAnswers } from './answers/movedFiles';
import type { RequestDocuments } from './documents/requestDocuments';
import type { RequestFileDependencies } from './fileWork';
import { registerFileLenses } from './lenses/fileLenses';

interface DashboardDependencies extends RequestFileDependencies {
  readonly documents: RequestDocuments;
  readonly registry: SubmissionRegistry;
  readonly chosenRuns: ChosenRuns;
}

/**
 * Creates the editor features for open JSON Lines files: lenses, answers, and actions for a line. Called when the first such file opens.
 */
export function createDashboard({ documents, connections, registry, chosenRuns, jobs, log }: DashboardDependencies) {
  const answers = new DocumentAnswers(documents, registry, chosenRuns, jobs, log);
  const parts = combine(
    answers,
    registerFileLenses(documents, connections, answers),
    registerRequestActs(documents, answers),
    registerAnswerDecorations(documents, answers, error => log.error('Could not show answers', error)),
    offerMovedAnswers(documents, registry, log),
  );
  return { answers, dispose: () => parts.dispose() };
}
