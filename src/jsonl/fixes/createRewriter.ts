import { checkRequestLine } from '../checking/requestRules';
import type { RuleOptions } from '../rules/ruleOptions';
import { EditRewriter } from './edits/editRewriter';
import { FieldMover } from './fieldMover';
import { FixRewriter } from './fixRewriter';
import { IdRewriter } from './idRewriter';
import type { LineRewriter } from './lineRewriter';
import type { RewriteWork } from './rewriteJob';

/** Creates the rewriter for a kind of work. Each file or document needs its own. */
export function createRewriter(work: RewriteWork, rules: RuleOptions): LineRewriter {
  switch (work.type) {
    case 'fix':
      return new FixRewriter(work.selection, (text, line) => checkRequestLine(text, line, rules), rules);
    case 'ids':
      return new IdRewriter(work.choice);
    case 'edit':
      return new EditRewriter(work.choice);
    case 'moveFields':
      return new FieldMover();
  }
}
