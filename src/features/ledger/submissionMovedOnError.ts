/** Another window changed a submission, so a conditional change no longer applies. */
export class SubmissionMovedOnError extends Error {
  override readonly name = 'SubmissionMovedOnError';
}
