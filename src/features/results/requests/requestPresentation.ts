import type { Translate } from '../../../common/text/translate';
import { type Problem, severityOrder } from '../../../contract/problem';
import { isJson, membersOf } from '../../../jsonl/scanning/jsonMembers';
import type { RequestIndexReport } from '../../../jsonl/tabling/indexRequests';
import type { PairPart, QueryChip, ResultPair, ResultsHead } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';
import { toRequestSide } from '../table/pairPresentation';

/** Facts about the requests that a panel shows. */
export interface RequestsFacts {
  /** Name of the file, and its path relative to the workspace. */
  readonly name: string;
  readonly path: string;
  readonly report: RequestIndexReport | undefined;
  /** Reason why there is no table to show. */
  readonly problem: 'gone' | 'unread' | undefined;
  /** True if an editor has unsaved changes of the file. */
  readonly isDirty: boolean;
}

/** Returns the header of a table of requests: file, problems, and next actions. */
export function toRequestsHead({ name, path, report, problem, isDirty }: RequestsFacts, t: Translate): ResultsHead {
  const isReady = problem === undefined && report !== undefined;
  const { withErrors = 0, withWarnings = 0 } = report ?? {};
  const isForeign = isReady && hasNoRequests(report);
  return {
    subject: 'requests',
    title: toLabel(name, 120),
    facts: [...(path === name ? [] : [toLabel(path, 120)]), ...(isForeign ? [t('There are no requests.')] : [])],
    chips: report === undefined ? [] : toChips(report, t),
    notices: [
      ...(isDirty && isReady
        ? [{ tone: 'plain' as const, text: t('The table shows the saved version.'), act: { label: t('Save'), act: 'save' as const } }]
        : []),
      ...(problem === 'gone' ? [{ tone: 'error' as const, text: t('File not found.') }] : []),
      ...(problem === 'unread' ? [{ tone: 'error' as const, text: t("The file couldn't be read. See the log.") }] : []),
    ],
    isReady,
    acts: isForeign
      ? ['openRequests']
      : isReady
        ? ['createBatch', ...(withErrors + withWarnings > 0 ? (['fix'] as const) : []), 'openRequests']
        : [],
  };
}

function toChips({ rows, withErrors, withWarnings, columns }: RequestIndexReport, t: Translate): readonly QueryChip[] {
  const withoutProblem = columns.find(({ name }) => name === 'problem')?.of.reduce((sum, value) => sum + (value === 0 ? 1 : 0), 0) ?? 0;
  return [
    { label: t('All'), query: '', count: rows },
    ...[
      { label: t('With problems'), query: 'problem=any', count: rows - withoutProblem },
      { label: t('Errors'), query: 'severity=error', count: withErrors },
      { label: t('Warnings'), query: 'severity=warning', count: withWarnings },
      { label: t('No problems'), query: 'problem=none', count: withoutProblem },
    ].filter(({ count }) => count > 0),
  ];
}

/** Returns whether the file has lines but none is a request. */
function hasNoRequests({ rows, withErrors, columns }: RequestIndexReport): boolean {
  const found = columns.find(({ name }) => name === 'problem')?.values.slice(1) ?? [];
  return rows > 0 && withErrors === rows && found.length > 0 && found.every(rules => rules === 'not-a-request' || rules === 'json-syntax');
}

/** Returns a request and its problems for display. `problems` has only those of the line, `rules` all rules that report a problem. */
export function toRequestPair(
  line: string,
  problems: readonly Problem[],
  rules: readonly string[],
  context: { readonly translate: Translate; readonly locale: string },
): Pick<ResultPair, 'request' | 'answer' | 'history' | 'canGoToLine'> {
  const { translate: t } = context;
  const worstFirst = [...problems].sort((a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity));
  const problemParts = worstFirst.map(
    ({ rule, text }): PairPart => ({
      form: 'plain',
      title: rule,
      text: t(text.template, ...text.args.map(value => (typeof value === 'string' ? toLabel(value, 200) : value))),
    }),
  );
  const known = new Set(problems.map(({ rule }) => rule));
  const others = rules
    .filter(rule => !known.has(rule))
    .map((rule): PairPart => ({ form: 'plain', title: rule, text: t('Checked with the whole file.') }));
  const parts = [...problemParts, ...others];
  return {
    request: toRequestSide(paramsOf(line) ?? line, undefined, context),
    answer: { facts: [], parts, isCut: false, ...(parts.length === 0 && { notice: t('No problems') }) },
    history: [],
    canGoToLine: true,
  };
}

/** Returns `params` as JSON text, or the whole line if it is bare params. `undefined` if the line is not a JSON object. */
export function paramsOf(line: string): string | undefined {
  const text = line.trim();
  return text.startsWith('{') && isJson(text) ? (membersOf(text).get('params') ?? text) : undefined;
}
