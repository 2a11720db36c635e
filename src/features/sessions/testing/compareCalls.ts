import type { Translate } from '../../../common/text/translate';
import { isRecord } from '../../../shared/isRecord';
import { canonical } from '../../../shared/schema/jsonValues';
import { nameOfTool } from '../../../shared/session/event';
import { shallow } from '../../../shared/shallow';
import { toLabel } from '../../../shared/text';
import type { AgentCall, Comparison, ExpectedCall, SessionTest, ToolName, ValuePath } from './testDocument';

/** Difference between expected and actual calls. `expected` and `actual` are 0-based positions in their lists. */
export type CallDifference =
  | { readonly kind: 'changed'; readonly expected: number; readonly actual: number }
  | { readonly kind: 'missing'; readonly expected: number }
  | { readonly kind: 'extra'; readonly actual: number };

/**
 * Returns the smallest set of differences between expected and actual calls, in the order of the expected calls. A call of the same tool
 * with different arguments counts as one difference. Takes time and memory proportional to the product of both counts.
 */
export function compareCalls(
  expected: readonly ExpectedCall[],
  actual: readonly AgentCall[],
  { order, extraCalls, ignore }: Comparison,
): readonly CallDifference[] {
  const fits = matcher(expected, actual, ignore);
  const found = order === 'any' ? compareAsSets(expected, actual, fits) : compareInOrder(expected, actual, fits, extraCalls);
  return found.filter(({ kind }) => kind !== 'extra' || extraCalls === 'fail');
}

type Fit = (expected: number, actual: number) => 'same' | 'sameTool' | 'other';

function matcher(expected: readonly ExpectedCall[], actual: readonly AgentCall[], ignore: readonly string[]): Fit {
  const inputs = new Map<string, readonly string[]>();
  const inputsWithout = (pointers: readonly string[]) => {
    const key = JSON.stringify(pointers);
    const known = inputs.get(key) ?? actual.map(({ input }) => comparableInput(input, pointers));
    inputs.set(key, known);
    return known;
  };
  const wanted = expected.map(call => {
    const pointers = [...ignore, ...call.ignore];
    const input = call.input === undefined ? undefined : comparableInput(call.input, pointers);
    return { name: nameOfTool(call), input, inputs: inputsWithout(pointers) };
  });
  const names = actual.map(nameOfTool);
  return (at, actualAt) => {
    const call = wanted[at];
    if (call === undefined || call.name !== names[actualAt]) {
      return 'other';
    }
    return call.input === undefined || call.input === call.inputs[actualAt] ? 'same' : 'sameTool';
  };
}

/** Returns the cheapest edits from one list to the other. A missing call plus an extra call costs more than changed arguments. */
function compareInOrder(
  expected: readonly ExpectedCall[],
  actual: readonly AgentCall[],
  fits: Fit,
  extraCalls: Comparison['extraCalls'],
): readonly CallDifference[] {
  const missing = 4;
  const [extra, changed] = extraCalls === 'allow' ? [0, 3] : [4, 5];
  const width = actual.length + 1;
  const costs = new Uint32Array((expected.length + 1) * width);
  const cost = (at: number, actualAt: number) =>
    at > expected.length || actualAt > actual.length ? Number.POSITIVE_INFINITY : (costs[at * width + actualAt] ?? 0);
  const pairCost = (at: number, actualAt: number) =>
    ({ same: 0, sameTool: changed, other: Number.POSITIVE_INFINITY })[fits(at, actualAt)] + cost(at + 1, actualAt + 1);
  for (let at = expected.length; at >= 0; at--) {
    for (let actualAt = actual.length; actualAt >= 0; actualAt--) {
      const isAtEnd = at === expected.length && actualAt === actual.length;
      costs[at * width + actualAt] = isAtEnd
        ? 0
        : Math.min(pairCost(at, actualAt), missing + cost(at + 1, actualAt), extra + cost(at, actualAt + 1));
    }
  }
  const differences: CallDifference[] = [];
  let [at, actualAt] = [0, 0];
  while (at < expected.length || actualAt < actual.length) {
    const least = cost(at, actualAt);
    if (least === pairCost(at, actualAt)) {
      if (fits(at, actualAt) === 'sameTool') {
        differences.push({ kind: 'changed', expected: at, actual: actualAt });
      }
      [at, actualAt] = [at + 1, actualAt + 1];
    } else if (least === missing + cost(at + 1, actualAt)) {
      differences.push({ kind: 'missing', expected: at++ });
    } else {
      differences.push({ kind: 'extra', actual: actualAt++ });
    }
  }
  return differences;
}

function compareAsSets(expected: readonly ExpectedCall[], actual: readonly AgentCall[], fits: Fit): readonly CallDifference[] {
  const takenBy = assign(expected.length, actual.length, (at, actualAt) => fits(at, actualAt) === 'same');
  const assigned = new Set(takenBy);
  const left = new Set([...actual.keys()].filter(actualAt => takenBy[actualAt] === undefined));
  const differences: CallDifference[] = [];
  for (const at of [...expected.keys()].filter(each => !assigned.has(each))) {
    const actualAt = [...left].find(each => fits(at, each) === 'sameTool');
    if (actualAt === undefined) {
      differences.push({ kind: 'missing', expected: at });
    } else {
      left.delete(actualAt);
      differences.push({ kind: 'changed', expected: at, actual: actualAt });
    }
  }
  return [...differences, ...[...left].map((actualAt): CallDifference => ({ kind: 'extra', actual: actualAt }))];
}

/**
 * Assigns right items to left items, so that as many left items as possible have a right item (augmenting paths). Returns the left item of
 * each right item.
 */
function assign(leftCount: number, rightCount: number, fits: (left: number, right: number) => boolean): readonly (number | undefined)[] {
  const takenBy: (number | undefined)[] = Array.from({ length: rightCount }, () => undefined);
  const assignLeft = (left: number, tried: Set<number>): boolean => {
    for (let right = 0; right < rightCount; right++) {
      if (fits(left, right) && !tried.has(right)) {
        tried.add(right);
        const other = takenBy[right];
        if (other === undefined || assignLeft(other, tried)) {
          takenBy[right] = left;
          return true;
        }
      }
    }
    return false;
  };
  for (let left = 0; left < leftCount; left++) {
    assignLeft(left, new Set());
  }
  return takenBy;
}

/**
 * Formats the arguments of a call so that equal arguments have equal texts. Members are sorted by name, and ignored parts are left out. The
 * JSON pointers (RFC 6901) in `ignore` can contain `*` for any one member or element.
 */
export function comparableInput(input: unknown, ignore: readonly string[]): string {
  const remaining = ignore.reduce((value, pointer) => without(value, pointer.split('/').slice(1)), shallow(input));
  return remaining === undefined ? '' : canonical(remaining);
}

function without(value: unknown, [escaped, ...rest]: readonly string[]): unknown {
  if (escaped === undefined) {
    return undefined;
  }
  const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
  if (Array.isArray(value)) {
    // An ignored element becomes `null`, so that the positions of the other elements stay.
    return value.map((element, at) => (step === '*' || step === String(at) ? (without(element, rest) ?? null) : element));
  }
  if (!isRecord(value)) {
    return value;
  }
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    step === '*' || step === name ? without(member, rest) : member,
  ]);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

type Shown = ToolName & { readonly input?: unknown };

/** Describes the differences between the calls of an agent and the calls of a test. Numbers of calls are 1-based. */
export function describeDifferences(
  differences: readonly CallDifference[],
  { calls, compare }: Pick<SessionTest, 'calls' | 'compare'>,
  actual: readonly AgentCall[],
  t: Translate,
): readonly { readonly text: string; readonly expected: string; readonly actual: string; readonly path: ValuePath }[] {
  return differences.map(difference => {
    const wanted = 'expected' in difference ? calls[difference.expected] : undefined;
    const actualCall = 'actual' in difference ? actual[difference.actual] : undefined;
    const ignore = [...compare.ignore, ...(wanted?.ignore ?? [])];
    // Omits ignored parts, so that two texts differ only where the calls do. Changed calls have the same tool, so their arguments are
    // enough.
    const toText = ({ tool, server, input }: Shown) => {
      const shown = input === undefined ? {} : { input: JSON.parse(comparableInput(input, ignore)) };
      return difference.kind === 'changed'
        ? (JSON.stringify(shown.input, null, 2) ?? '')
        : JSON.stringify({ tool, server, ...shown }, null, 2);
    };
    return {
      text: describeDifference(difference, toLabel(nameOfTool(wanted ?? actualCall ?? { tool: '' }), 80), t),
      expected: wanted === undefined ? '' : toText(wanted),
      actual: actualCall === undefined ? '' : toText(actualCall),
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
