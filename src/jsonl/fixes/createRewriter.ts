import type { FileState } from '../files/fileState';
import type { RuleOptions } from '../rules/ruleOptions';
import { EditRewriter } from './edits/editRewriter';
import type { EditChoice } from './edits/fieldEdit';
import { FieldMover } from './fieldMover';
import { FixRewriter } from './fixRewriter';
import { type IdChoice, IdRewriter } from './idRewriter';
import type { FixSelection } from './lineFix';
import type { LineRewriter, RewriteSummary } from './lineRewriter';

export interface RewriteSource {
  readonly path: string;
  /** Path of the new file, which may be the path of the old file. Without a path, the changes are only counted. */
  readonly outPath?: string;
  readonly work: RewriteWork;
  /** State of the file when the user reviewed it. A file that has changed since is not rewritten. */
  readonly expected?: FileState;
  /** Path for a backup of the old file if the new file replaces the old one. No file may exist at this path. */
  readonly backupPath?: string;
  readonly rules: RuleOptions;
}

export type RewriteWork =
  | { readonly type: 'fix'; readonly selection: FixSelection }
  | { readonly type: 'ids'; readonly choice: IdChoice }
  | { readonly type: 'edit'; readonly choice: EditChoice }
  | { readonly type: 'moveFields' };

export interface RewriteReport extends RewriteSummary {
  readonly file: FileState;
  readonly written?: FileState;
}

/** Creates the rewriter for a kind of work. Each file or document needs its own rewriter. */
export function createRewriter(work: RewriteWork, rules: RuleOptions): LineRewriter {
  switch (work.type) {
    case 'fix':
      return new FixRewriter(work.selection, rules);
    case 'ids':
      return new IdRewriter(work.choice);
    case 'edit':
      return new EditRewriter(work.choice);
    case 'moveFields':
      return new FieldMover();
  }
}
