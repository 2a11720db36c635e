/** A request file as it was submitted. */
export interface SubmittedFile {
  readonly path: string;
  /** `lines.tsv` of the submission. */
  readonly linesPath: string;
  readonly sha256: string;
}
