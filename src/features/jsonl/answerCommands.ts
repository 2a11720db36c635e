import type * as vscode from 'vscode';
import type { SubmissionRegistry } from '../batches/ledger/submissionRegistry';
import type { DocumentAnswers } from './documentAnswers';
import type { RequestDocuments } from './requestDocuments';

interface AnswerContext {
  readonly documents: RequestDocuments;
  readonly answers: DocumentAnswers;
}

/** Placeholder. */
export async function showInResults(_context: AnswerContext, _file?: vscode.Uri, _line?: number, _version?: number): Promise<void> {
  throw new Error('This is being built.');
}

/** Placeholder. */
export async function goToRequest(
  _context: { readonly registry: SubmissionRegistry },
  _results?: vscode.Uri,
  _line?: number,
): Promise<void> {
  throw new Error('This is being built.');
}

/** Placeholder. */
export async function goToFailed(_context: AnswerContext, _step: 1 | -1): Promise<void> {
  throw new Error('This is being built.');
}
