import type { LineSource } from '../checking/documentChecker';
import type { QuickLine } from '../checking/quickLineCheck';
import { checkRequestLine } from '../checking/requestRules';
import type { RuleOptions } from '../rules/ruleOptions';
import { type LineRewriter, toSourceLine } from './lineRewriter';

/** Line of a document with the lines that replace it. Without replacement lines, the line is removed. */
export interface RewrittenLine {
  readonly line: number;
  readonly before: string;
  readonly lines: readonly string[];
}

/** Checks single lines by the rules of `options`. */
export interface LineChecker {
  readonly options: RuleOptions;
  checkQuickly(text: string, line: number): Pick<QuickLine, 'kind' | 'customId' | 'model' | 'noted'>;
}

/** Maximum time that the thread is blocked between two pauses, in milliseconds. */
const sliceMs = 4;

/** Rewrites the lines of a document. Returns those that change. Awaits `pause`, which may throw, every 4 ms or so. */
export async function rewriteLines(
  source: LineSource,
  rewriter: LineRewriter,
  checker: LineChecker,
  pause: () => Promise<void>,
): Promise<readonly RewrittenLine[]> {
  const result: RewrittenLine[] = [];
  let until = performance.now() + sliceMs;
  for (const step of ['survey', 'rewrite'] as const) {
    for (let line = 0; line < source.lineCount; line++) {
      const { text } = source.lineAt(line);
      const checked = () => checkRequestLine(text, line, checker.options);
      const sourceLine = toSourceLine(text, line, checker.checkQuickly(text, line), checked, line === source.lineCount - 1);
      const lines = step === 'survey' ? rewriter.survey(sourceLine) : rewriter.rewrite(sourceLine);
      if (lines !== undefined && (lines.length !== 1 || lines[0] !== text)) {
        result.push({ line, before: text, lines });
      }
      if (performance.now() >= until) {
        await pause();
        until = performance.now() + sliceMs;
      }
    }
  }
  return result;
}
