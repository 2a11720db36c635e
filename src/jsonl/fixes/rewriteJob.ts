import type { RuleOptions } from '../rules/ruleOptions';
import type { IdChoice } from './idRewriter';
import type { FixSelection } from './lineFix';
import type { RewriteSummary } from './lineRewriter';

/** A file to write anew, and how. */
export interface RewriteSource {
  readonly path: string;
  /** Where the new file goes, the old one's place included; without one it is only told what would change. */
  readonly outPath?: string;
  readonly work: RewriteWork;
  readonly rules: RuleOptions;
}

export type RewriteWork = { readonly type: 'fix'; readonly selection: FixSelection } | { readonly type: 'ids'; readonly choice: IdChoice };

export interface RewriteReport extends RewriteSummary {
  /** Bytes of the source. */
  readonly fileBytes: number;
}

/** The jobs that write a file anew, line by line. */
export interface RewriteJobs {
  rewriteFile: { input: RewriteSource; output: RewriteReport };
}
