/** Another window has changed a submission, so that a change of it no longer fits. */
export class SubmissionMovedOnError extends Error {
  override readonly name = 'SubmissionMovedOnError';
}
