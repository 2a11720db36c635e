import type { JoinedResults, SubmittedFile } from '../resultsJobs';

/** Writes joined results in other forms. */
export interface ExportingJobs {
  exportResults: { input: ExportSource; output: { readonly written: number } };
}

export type ExportFormat = 'csv' | 'json' | 'markdown' | 'jsonl';

export interface ExportSource extends JoinedResults {
  readonly format: ExportFormat;
  readonly outPath: string;
  /** Rows of the joined file in the order to write them; all without it. */
  readonly rows?: Uint32Array;
  /** With this, each answer stands beside its request; requests whose file has changed are left out. */
  readonly requests?: readonly SubmittedFile[];
}
