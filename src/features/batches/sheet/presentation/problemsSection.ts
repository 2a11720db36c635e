import type { Severity } from '../../../../contract/problem';
import { severityOrder } from '../../../../contract/problem';
import type { BatchFileReport } from '../../../../jsonl/checking/batchFileReport';
import { hasFixes } from '../../../../jsonl/fixes/fixesOfProblem';
import type { SheetBlock, SheetItem, SheetSection, Tone } from '../../../../shared/sheet/sheetProtocol';
import { toProblemCount } from '../../../../shared/text';
import { type MessageContext, toSentence, translateText } from '../../submitting/createBatchMessages';
import { withoutLimits } from '../../submitting/createBatchProblems';
import { toNote, toNumber } from './sheetBlocks';
import { isAllRefused, type SheetFacts, sendability } from './sheetFacts';

const rulesShown = 12;

/** What is wrong with the file, by rule, worst first. */
export function toProblemsSection(facts: SheetFacts, report: BatchFileReport, context: MessageContext): SheetSection {
  const { translate: t, locale } = context;
  const title = t('Problems');
  if (report.ruleCounts.length === 0) {
    return { id: 'problems', title, blocks: [{ kind: 'note', tone: 'good', text: t('Nothing is wrong with the file.') }] };
  }
  const worst = new Map<string, (typeof report.problems)[number]>();
  for (const problem of report.problems) {
    if (!worst.has(problem.rule)) {
      worst.set(problem.rule, problem);
    }
  }
  // The listed problems are the worst: a rule that is only counted is none of those.
  const rank = (rule: string) => severityOrder.indexOf(worst.get(rule)?.severity ?? 'hint');
  // The section about parts covers the limits.
  const { problemCounts: counts, ruleCounts } = withoutLimits(report);
  const rules = [...ruleCounts].sort((a, b) => rank(a.rule) - rank(b.rule));
  if (rules.length === 0) {
    const text = facts.outgoing?.parts === undefined ? t('Nothing is wrong with the requests.') : t('Nothing else is wrong with the file.');
    return { id: 'problems', title, blocks: [toNote('good', text)] };
  }
  const items = rules.slice(0, rulesShown).map<SheetItem>(({ rule, count, firstLine }) => {
    const first = worst.get(rule);
    const { line, start, end } = first ?? { line: firstLine, start: 0, end: 0 };
    const number = toNumber(line + 1, locale);
    return {
      tone: first === undefined ? 'plain' : toneOf(first.severity),
      text: t('{0}: {1}', rule, toNumber(count, locale)),
      ...(first !== undefined && { detail: toSentence(translateText(first.text, context)) }),
      links: [
        {
          label: t('Line {0}', number),
          name: t('Line {0}, the first of {1}', number, rule),
          act: { type: 'openPlace', line, start, end },
        },
      ],
    };
  });
  const rest = rules.length - items.length;
  const raised = items.length === 0 ? [] : facts.folderRules.filter(id => rules.some(({ rule }) => rule === id));
  const verdict = sendability(report, facts.outgoing);
  return {
    id: 'problems',
    title,
    blocks: [
      ...toRefusals(facts, report, context),
      toNote('plain', toProblemCount(counts, t, locale)),
      ...(verdict === 'anyway'
        ? [
            toNote(
              'warning',
              counts.error === 1
                ? t('The error is about what a request asks of the model. The service may refuse the batch, or let that request fail.')
                : t('The errors are about what requests ask of the model. The service may refuse the batch, or let those requests fail.'),
            ),
          ]
        : []),
      { kind: 'list', items },
      ...(raised.length > 0 ? [toNote('plain', t("This folder's settings raise the severity of {0}.", raised.join(', ')))] : []),
      ...(rest > 0
        ? [
            toNote(
              'plain',
              rest === 1 ? t('1 more rule is in the report.') : t('{0} more rules are in the report.', toNumber(rest, locale)),
            ),
          ]
        : []),
      {
        kind: 'acts',
        links: [
          ...(rules.some(({ rule }) => hasFixes(rule)) ? ([{ label: t('Fix...'), act: { type: 'fix' } }] as const) : []),
          { label: t('Show in Problems View'), act: { type: 'showProblems' } },
          { label: t('Check Report'), act: { type: 'showReport' } },
        ],
      },
    ],
  };
}

/** Says how many requests the service most likely refuses, in large letters if these are all. */
function toRefusals(facts: SheetFacts, report: BatchFileReport, context: MessageContext): readonly SheetBlock[] {
  if (report.refusedCount === 0) {
    return [];
  }
  const text = describeRefused(report, context);
  const detail = context.translate('Services refuse requests with these problems, hours after the batch was made.');
  return [isAllRefused(report, facts.outgoing) ? { kind: 'lead', text, detail } : toNote('warning', text)];
}

/** Describes how many requests may be refused. */
export function describeRefused({ requestCount, refusedCount }: BatchFileReport, { translate: t, locale }: MessageContext): string {
  const [refused, all] = [toNumber(refusedCount, locale), toNumber(requestCount, locale)];
  if (refusedCount === requestCount) {
    return requestCount === 1 ? t('The request may be refused.') : t('All {0} requests may be refused.', all);
  }
  return refusedCount === 1 ? t('1 of {0} requests may be refused.', all) : t('{0} of {1} requests may be refused.', refused, all);
}

function toneOf(severity: Severity): Tone {
  return severity === 'error' || severity === 'warning' ? severity : 'plain';
}
