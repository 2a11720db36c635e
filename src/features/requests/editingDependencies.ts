import type { DocumentAnswers } from './answers/documentAnswers';
import type { RequestDocuments } from './documents/requestDocuments';
import type { RequestFileDependencies } from './fileWork';

/** Dependencies of the editing features of request files. */
export interface EditingDependencies extends RequestFileDependencies {
  readonly documents: RequestDocuments;
  readonly answers: Pick<DocumentAnswers, 'shownAt' | 'failingScope'>;
}
