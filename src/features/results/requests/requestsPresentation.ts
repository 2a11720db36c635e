import type { Translate } from '../../../common/text/translate';
import { type Problem, severityOrder } from '../../../contract/problem';
import { isJson, membersOf } from '../../../jsonl/scanning/jsonMembers';
import type { RequestIndexReport } from '../../../jsonl/tabling/indexRequests';
import type { PairPart, QueryChip, ResultPair, ResultsHead } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';
import { toRequestSide } from '../table/pairPresentation';

/** Facts about the requests that a panel shows. */
interface RequestsFacts {
  readonly name: string;
  readonly relativePath: string;
  readonly report: RequestIndexReport | undefined;
  /** Reason why there is no table to show. */
  readonly problem: 'gone' | 'unread' | undefined;
  /** True if an editor has unsaved changes of the file. */
  readonly isDirty: boolean;
}

/** Returns the header of a table of requests: file, problems, and next actions. */
export function toRequestsHead({ name, relativePath, report, problem, isDirty }: RequestsFacts, t: Translate): ResultsHead {
  const isReady = problem === undefined && report !== undefined;
  const { withErrors = 0, withWarnings = 0 } = report ?? {};
  const isForeign = isReady && hasNoRequests(report);
  return {
    subject: 'requests',
    title: toLabel(name, 120),
    facts: [...(relativePath === name ? [] : [toLabel(relativePath, 120)]), ...(isForeign ? [t('No requests')] : [])],
    chips: report === undefined ? [] : toChips(report, t),
    notices: [
      ...(isDirty && isReady
        ? [{ tone: 'plain' as const, text: t('The table shows the saved version.'), act: { label: t('Save'), act: 'save' as const } }]
        : []),
      ...(problem === 'gone' ? [{ tone: 'error' as const, text: t('File not found.') }] : []),
      ...(problem === 'unread' ? [{ tone: 'error' as const, text: t("Couldn't read the file. See the log.") }] : []),
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

/** Returns whether the file has lines but no line is a request. */
function hasNoRequests({ rows, withErrors, columns }: RequestIndexReport): boolean {
  const found = columns.find(({ name }) => name === 'problem')?.values.slice(1) ?? [];
  return rows > 0 && withErrors === rows && found.length > 0 && found.every(rules => rules === 'not-a-request' || rules === 'json-syntax');
}

/** Returns a request for display. `problems` has only the problems of the line, `rules` all rules that report a problem. */
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
    .map((rule): PairPart => ({ form: 'plain', title: rule, text: t('Found when checking the whole file.') }));
  const parts = [...problemParts, ...others];
  return {
    request: toRequestSide(paramsOrLine(line) ?? line, undefined, context),
    answer: { facts: [], parts, isCut: false, ...(parts.length === 0 && { notice: t('No problems') }) },
    history: [],
    canGoToLine: true,
  };
}

/** Returns `params` as JSON text, or the whole line if the line is bare params. `undefined` if the line is not a JSON object. */
export function paramsOrLine(line: string): string | undefined {
  const text = line.trim();
  return text.startsWith('{') && isJson(text) ? (membersOf(text).get('params') ?? text) : undefined;
}
