import type { LineSource } from '../checking/documentChecker';
import type { QuickLine } from '../checking/quickLineCheck';
import { checkRequestLine } from '../checking/requestRules';
import type { RuleOptions } from '../rules/ruleOptions';
import type { LineRewriter, SourceLine } from './lineRewriter';

/** A line of a document that gives way to others, none when it goes. */
export interface RewrittenLine {
  readonly line: number;
  readonly before: string;
  readonly lines: readonly string[];
}

/** What is known of each line, by the rules of `options`. */
export interface LineLook {
  readonly options: RuleOptions;
  look(text: string, line: number): Pick<QuickLine, 'kind' | 'customId' | 'model' | 'noted'>;
}

/** Milliseconds that the thread is held at a time. */
const sliceMs = 4;

/**
 * Writes the lines of an open document anew. `pause` is awaited about every 4 ms and may throw when the document has changed.
 * Lines that stay are not in the result.
 */
export async function rewriteLines(
  source: LineSource,
  rewriter: LineRewriter,
  look: LineLook,
  pause: () => Promise<void>,
): Promise<readonly RewrittenLine[]> {
  const result: RewrittenLine[] = [];
  let until = performance.now() + sliceMs;
  for (const step of ['survey', 'rewrite'] as const) {
    for (let line = 0; line < source.lineCount; line++) {
      const { text } = source.lineAt(line);
      const sourceLine = toSourceLine(text, line, line === source.lineCount - 1, look);
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

function toSourceLine(text: string, line: number, isUnended: boolean, look: LineLook): SourceLine {
  const known = look.look(text, line);
  return {
    line,
    kind: known.kind,
    noted: known.noted,
    checked: () => checkRequestLine(text, line, look.options),
    canChange: true,
    isUnended,
    text: () => text,
    customId: () => known.customId,
    model: () => known.model,
  };
}
