import { join } from '../../../../common/text/presentation';
import type { Severity } from '../../../../contract/problem';
import { severityOrder } from '../../../../contract/problem';
import type { BatchFileReport } from '../../../../jsonl/checking/batchFileReport';
import { hasFixes } from '../../../../jsonl/fixes/fixesOfProblem';
import { toNumber } from '../../../../shared/formats';
import type { SheetBlock, SheetItem, SheetLink, Tone } from '../../../../shared/sheet/sheetProtocol';
import { toProblemCount } from '../../../../shared/text';
import { type MessageContext, toSentence, translateText } from '../../submitting/createBatchMessages';
import { present, sendability, type SheetFacts, toNote, withoutLimits } from './sheetFacts';

const rulesShown = 12;
/** Number of rules that are listed without a click if something can't be sent. */
const errorsShown = 3;

/** Returns the problems of the file: one line with counts and links, and a list by rule, worst first. */
export function toProblemBlocks(facts: SheetFacts, report: BatchFileReport, context: MessageContext): readonly SheetBlock[] {
  const { translate: t, locale } = context;
  // The note about parts covers the limits.
  const { problemCounts: counts, ruleCounts } = withoutLimits(report);
  if (ruleCounts.length === 0) {
    return [toNote('good', report.ruleCounts.length === 0 ? t('No problems found') : t('No other problems'))];
  }
  // If a rule has several problems, the first one wins.
  const worst = new Map(report.problems.toReversed().map(problem => [problem.rule, problem]));
  // The listed problems are the most severe. A rule without a listed problem ranks below them.
  const rank = (rule: string) => severityOrder.indexOf(worst.get(rule)?.severity ?? 'hint');
  const rules = [...ruleCounts].sort((a, b) => rank(a.rule) - rank(b.rule));
  const items = rules.slice(0, rulesShown).map<SheetItem>(({ rule, count, firstLine }) => {
    const first = worst.get(rule);
    const { line, start, end } = first ?? { line: firstLine, start: 0, end: 0 };
    const number = toNumber(line + 1, locale);
    const sentence = first === undefined ? rule : toSentence(translateText(first.text, context));
    return {
      tone: first === undefined ? 'plain' : toneOf(first.severity),
      text: count === 1 ? sentence : t('{0} ({1} times)', sentence, toNumber(count, locale)),
      detail: rule,
      ...(facts.hasLines && {
        links: [
          { label: t('Line {0}', number), name: t('Line {0}, first of {1}', number, rule), act: { type: 'openPlace', line, start, end } },
        ],
      }),
    };
  });
  const rest = rules.length - items.length;
  const raised = facts.folderRules.filter(id => rules.some(({ rule }) => rule === id));
  const shown = counts.error > 0 || report.refusedCount > 0 ? Math.min(errorsShown, items.length) : 0;
  return [
    {
      kind: 'note',
      tone: counts.error > 0 ? 'error' : counts.warning > 0 ? 'warning' : 'plain',
      text: join('. ', toProblemCount(counts, t, locale), report.refusedCount > 0 ? describeRefused(report, context) : ''),
      links: present<SheetLink>(rules.some(({ rule }) => hasFixes(rule)) && { label: t('Fix...'), act: { type: 'fix' } }, {
        label: t('Show in Problems View'),
        act: { type: 'showProblems' },
      }),
    },
    ...present(
      sendability(report, facts.outgoing) === 'anyway' && toNote('warning', t('The service may refuse the batch, or fail these requests.')),
    ),
    {
      kind: 'list',
      items,
      ...(shown < items.length && {
        folded: { shown, more: shown === 0 ? t('Show Problems') : t('Show {0} More', items.length - shown), fewer: t('Show Fewer') },
      }),
    },
    ...present(
      raised.length > 0 && toNote('plain', t("This folder's settings raise the severity of {0}.", raised.join(', '))),
      rest > 0 && toNote('plain', t('Other rules with problems: {0}', toNumber(rest, locale))),
    ),
  ];
}

function describeRefused({ requestCount, refusedCount }: BatchFileReport, { translate: t, locale }: MessageContext): string {
  const [refused, all] = [toNumber(refusedCount, locale), toNumber(requestCount, locale)];
  return t('Requests that may be refused: {0} of {1}.', refused, all);
}

function toneOf(severity: Severity): Tone {
  return severity === 'error' || severity === 'warning' ? severity : 'plain';
}
