import type * as vscode from 'vscode';
import type { EditScope } from '../../../jsonl/fixes/edits/fieldEdit';
import type { JsonlJobs } from '../../../jsonl/jobs/jobs';
import type { SubmissionRegistry } from '../../ledger';
import type { RequestDocuments } from '../documents/requestDocuments';
import { answerRunsOf } from './answerRuns';
import type { DocumentAnswers } from './documentAnswers';
import { findFailing } from './failingAnswers';
import { SubmissionAnswerFiles } from './submissionAnswerFiles';

interface FailingDependencies {
  readonly documents: RequestDocuments;
  readonly answers: DocumentAnswers;
  readonly registry: SubmissionRegistry;
  readonly jobs: JsonlJobs;
}

/**
 * Returns the requests without a good result in the results shown at a file: lines of an open document, or ids for any other file.
 * `undefined` if there are no results or they can't be read.
 */
export async function failingScope(
  { documents, answers, registry, jobs }: FailingDependencies,
  uri: vscode.Uri,
): Promise<(EditScope & { readonly by: 'lines' | 'ids' }) | undefined> {
  const file = documents.get(uri);
  if (file !== undefined) {
    await answers.whenLoaded(file);
    const found = answers.of(file)?.shown && (await answers.of(file)?.failing());
    return found && { by: 'lines', lines: new Set(found.map(({ line }) => line)) };
  }
  const { shown } = answerRunsOf(registry.all(), uri.toString());
  const results = shown && (await new SubmissionAnswerFiles(registry, jobs).openResults(shown).catch(() => undefined));
  return results && { by: 'ids', ids: new Set((await findFailing(results)).keys()) };
}
