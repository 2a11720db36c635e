import type { FileState } from '../files/fileState';
import type { RuleOptions } from '../rules/ruleOptions';
import type { EditChoice } from './edits/fieldEdit';
import type { IdChoice } from './idRewriter';
import type { FixSelection } from './lineFix';
import type { RewriteSummary } from './lineRewriter';

/** A file to write anew, and how. */
export interface RewriteSource {
  readonly path: string;
  /** Where the new file goes, the old one's place included; without one it is only told what would change. */
  readonly outPath?: string;
  readonly work: RewriteWork;
  /** What the file was when it was looked at: another one is not written anew. */
  readonly seen?: FileState;
  /** Where the old file is kept when the new one takes its place. Nothing may stand there. */
  readonly keptPath?: string;
  readonly rules: RuleOptions;
}

export type RewriteWork =
  | { readonly type: 'fix'; readonly selection: FixSelection }
  | { readonly type: 'ids'; readonly choice: IdChoice }
  | { readonly type: 'edit'; readonly choice: EditChoice }
  | { readonly type: 'moveFields' };

export interface RewriteReport extends RewriteSummary {
  /** Bytes of the source. */
  readonly fileBytes: number;
  /** The source as it was read. */
  readonly file: FileState;
  /** What was written, as it stands in its place. */
  readonly written?: FileState;
}
