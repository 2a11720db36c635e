import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';
import { comparableInput } from './comparableInput';
import type { CallDifference } from './compareCalls';
import { type AgentCall, nameOfTool, type SessionTest, type ToolName } from './sessionTest';
import type { ValuePath } from './testDocument';

/** Difference in words and as two texts, with its location in the document. */
export interface DifferenceMessage {
  readonly text: string;
  readonly expected: string;
  readonly actual: string;
  readonly path: ValuePath;
}

type Shown = ToolName & { readonly input?: unknown };

/** Describes the differences between the calls of an agent and those of a test. Numbers of calls are 1-based. */
export function describeDifferences(
  differences: readonly CallDifference[],
  { calls, compare }: Pick<SessionTest, 'calls' | 'compare'>,
  actual: readonly AgentCall[],
  t: Translate,
): readonly DifferenceMessage[] {
  return differences.map(difference => {
    const wanted = 'expected' in difference ? calls[difference.expected] : undefined;
    const actualCall = 'actual' in difference ? actual[difference.actual] : undefined;
    const ignore = [...compare.ignore, ...(wanted?.ignore ?? [])];
    // Two calls of the same tool differ only in their arguments.
    const toText = difference.kind === 'changed' ? toInputText : toCallText;
    return {
      text: describeDifference(difference, toLabel(nameOfTool(wanted ?? actualCall ?? { tool: '' }), 80), t),
      expected: wanted === undefined ? '' : toText(wanted, ignore),
      actual: actualCall === undefined ? '' : toText(actualCall, ignore),
      path: 'expected' in difference ? ['calls', difference.expected] : ['calls'],
    };
  });
}

function describeDifference(difference: CallDifference, tool: string, t: Translate): string {
  switch (difference.kind) {
    case 'changed':
      return t(
        'Arguments of call {0} ({1}) differ from those of call {2} of the test.',
        difference.actual + 1,
        tool,
        difference.expected + 1,
      );
    case 'missing':
      return t('Call {0} ({1}) of the test is missing.', difference.expected + 1, tool);
    case 'extra':
      return t("Call {0} ({1}) isn't in the test.", difference.actual + 1, tool);
  }
}

/** Formats the arguments without ignored parts, so that two texts differ only where the arguments do. */
function toInputText({ input }: Shown, ignore: readonly string[]): string {
  return input === undefined ? '' : JSON.stringify(JSON.parse(comparableInput(input, ignore)), null, 2);
}

function toCallText({ tool, server, input }: Shown, ignore: readonly string[]): string {
  const shown = input === undefined ? {} : { input: JSON.parse(comparableInput(input, ignore)) };
  return JSON.stringify({ tool, server, ...shown }, null, 2);
}
