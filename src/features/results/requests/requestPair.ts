import type { Translate } from '../../../common/text/translate';
import { type Problem, severityOrder } from '../../../contract/problem';
import { containerAt } from '../../../jsonl/scanning/jsonMembers';
import type { PairPart, ResultPair } from '../../../shared/results/resultsProtocol';
import { toLabel } from '../../../shared/text';
import { toRequestSide } from '../table/pairPresentation';

/** Returns a request and its problems for display. `problems` are those of the line alone, `rules` all rules that report a problem. */
export function toRequestPair(
  line: string,
  problems: readonly Problem[],
  rules: readonly string[],
  context: { readonly translate: Translate; readonly locale: string },
): Pick<ResultPair, 'request' | 'answer' | 'history' | 'canGoToLine'> {
  const { translate: t } = context;
  const worstFirst = [...problems].sort((a, b) => severityOrder.indexOf(a.severity) - severityOrder.indexOf(b.severity));
  const said = worstFirst.map(
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
  const parts = [...said, ...others];
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
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const container = text.startsWith('{') ? containerAt(text, 0) : undefined;
  const params = container?.parts.findLast(({ key }) => key === 'params');
  return container === undefined ? undefined : params === undefined ? text : text.slice(params.start, params.end);
}
