import { findPrice } from '../../../../common/readPrices';
import { describeDuration, join } from '../../../../common/text/presentation';
import type { FileSurvey } from '../../../../jsonl/survey/fileSurvey';
import type { SheetBlock, SheetItem, SheetSection } from '../../../../shared/sheet/sheetProtocol';
import { toLabel } from '../../../../shared/text';
import { describeCost } from '../../fileRuns/runCost';
import { describeTime, type MessageContext } from '../../submitting/createBatchMessages';
import type { PastRun } from '../pastRuns';
import { addMoney, costOf, toMoney, toMoneyRange } from './estimateMoney';
import { likelyOf } from './estimatePresentation';
import { toNumber } from './sheetBlocks';
import type { SheetFacts } from './sheetFacts';
import { toTokens } from './tokenRange';

/** What a person asks first: about how much it takes, how much at most, and what it took the last times. Nothing where nothing is known. */
export function toCostSection(facts: SheetFacts, context: MessageContext): readonly SheetSection[] {
  const { translate: t } = context;
  const { survey, pastRuns } = facts;
  const lead: readonly SheetBlock[] =
    survey.name === 'done'
      ? [toLead(survey.survey, facts, context)]
      : survey.name === 'running'
        ? [{ kind: 'lead', text: t('Estimating…'), detail: '' }]
        : [];
  const past: readonly SheetBlock[] =
    pastRuns.length === 0 ? [] : [{ kind: 'list', items: pastRuns.map(run => toPastItem(run, facts, context)) }];
  const blocks = [...lead, ...past];
  return blocks.length === 0 ? [] : [{ id: 'cost', title: t('At a Glance'), blocks }];
}

function toLead(
  survey: FileSurvey,
  { prices, currency, folderModels, past }: SheetFacts,
  { translate: t, locale }: MessageContext,
): SheetBlock {
  const costs = survey.models.map(model => {
    const price = findPrice(prices, model.model)?.price;
    return price === undefined ? undefined : costOf(model, price);
  });
  const known = costs.filter(cost => cost !== undefined);
  const hasMoney = known.length > 0 && known.length === costs.length;
  const money = (amount: number, round: 'nearest' | 'up') => toMoney(amount, currency, locale, round);
  const output = (tokens: number, round: (value: number) => number) => t('{0} output tokens', toTokens(tokens, locale, round));
  const most = hasMoney ? money(addMoney(known).high, 'up') : output(survey.maxOutput, Math.ceil);
  // What is not counted may come on top.
  const atMost =
    survey.opaqueBlocks + survey.withoutMaxTokens > 0 ? t('At most {0}, plus what cannot be estimated', most) : t('At most {0}', most);
  const source = survey.models.some(({ model }) => folderModels.has(findPrice(prices, model)?.id ?? ''))
    ? t("priced by this folder's settings")
    : '';
  const likely = likelyOf(survey, { past, prices });
  if (likely === undefined) {
    return { kind: 'lead', text: atMost, detail: join(' · ', source, t('An estimate appears once you have results for these models.')) };
  }
  const about = hasMoney && likely.cost !== undefined ? money(likely.cost, 'nearest') : output(likely.tokens, Math.round);
  return { kind: 'lead', text: t('About {0}', about), detail: join(' · ', atMost, source) };
}

/** What a run took, beside what it was estimated to. */
function toPastItem(run: PastRun, { currency }: SheetFacts, context: MessageContext): SheetItem {
  const { translate: t, locale } = context;
  const when = describeTime(run.startedAt, context);
  const tokens = t('{0} → {1} tokens', toTokens(run.inputTokens, locale, Math.round), toTokens(run.outputTokens, locale, Math.round));
  const estimated = run.estimated === undefined ? '' : t('estimated {0}', toMoneyRange(run.estimated, { translate: t, currency, locale }));
  return {
    tone: 'plain',
    text: run.fileName === undefined ? t('This file, {0}', when) : t('{0}, {1}', toLabel(run.fileName, 60), when),
    detail: join(
      ' · ',
      run.requests === 1 ? t('1 request') : t('{0} requests', toNumber(run.requests, locale)),
      ...(run.actual === undefined ? [tokens] : [t('cost {0}', describeCost(run.actual, { translate: t, currency, locale })), estimated]),
      run.took === undefined ? '' : t('took {0}', describeDuration(run.took, locale)),
    ),
  };
}
