import type { Choice } from '../../../common/asking/askSteps';
import type { Translate } from '../../../common/text/translate';
import type { DuplicatesReport, RepeatKind } from '../../../jsonl/arranging/duplicates';
import type { SampleSize } from '../../../jsonl/arranging/sampleFile';
import type { SplitPlan } from '../../../jsonl/arranging/splitPlan';
import type { BatchLimits } from '../../../jsonl/checking/batchFileReport';
import { numberFormat } from '../../../shared/formats';

/** Operation on the requests of a file. Never changes the file itself. */
export type Arrangement = 'split' | 'sample' | 'shuffle' | 'merge' | 'showDuplicates' | RepeatKind;

/** Returns the operations for a file, each with a preview of the result. */
export function toArrangements(
  { requests, repeats }: Pick<DuplicatesReport, 'requests' | 'repeats'>,
  { parts, tooLarge }: Pick<SplitPlan, 'parts' | 'tooLarge'>,
  stem: string,
  t: Translate,
  locale?: string,
): readonly Choice<Arrangement>[] {
  const number = (value: number) => numberFormat(locale).format(value);
  const batches =
    tooLarge.count > 0
      ? t('{0} requests are too large for a batch', number(tooLarge.count))
      : parts.length === 1
        ? t('Fits in one batch')
        : t('Needs {0} batches', number(parts.length));
  const unique = (value: RepeatKind, label: string): readonly Choice<Arrangement>[] => {
    const [written, all] = [number(requests - repeats[value]), number(requests)];
    const detail = t('Writes {0} of {1} requests to {2}', written, all, `${stem}.unique.jsonl`);
    return repeats[value] === 0 ? [] : [{ label, detail, value }];
  };
  const duplicates: Choice<Arrangement> = {
    label: t('Show Duplicates'),
    detail: t('Same params: {0}, same ID: {1}', number(repeats.params), number(repeats.id)),
    value: 'showDuplicates',
  };
  return [
    {
      label: t('Split into Parts...'),
      detail: t('{0}. The parts are named {1} and so on', batches, `${stem}.part-001.jsonl`),
      value: 'split',
    },
    { label: t('Sample...'), detail: t('Writes to {0}', `${stem}.sample.jsonl`), value: 'sample' },
    { label: t('Shuffle...'), detail: t('Writes to {0}', `${stem}.shuffled.jsonl`), value: 'shuffle' },
    { label: t('Merge with Other Files...'), detail: t('Combines several files into one'), value: 'merge' },
    ...(repeats.params + repeats.id > 0 ? [duplicates] : []),
    ...unique('params', t('Remove Duplicates by Params')),
    ...unique('request', t('Remove Duplicates by Params and ID')),
    ...unique('id', t('Remove Duplicates by ID')),
  ];
}

/** Size of the parts of a split. */
export interface SplitWish {
  readonly limits: BatchLimits;
  readonly parts?: number;
}

/** Parses `3 parts`, `1000 requests` or `50 MB`. Never exceeds the limits. Returns `undefined` for any other text. */
export function parseSplitWish(text: string, limits: BatchLimits): SplitWish | undefined {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,11})\s*(parts?|requests?|mb)$/i.exec(text.trim()) ?? [];
  const number = Number(digits);
  switch (unit.toLowerCase().replace(/s$/, '')) {
    case 'part':
      return { limits, parts: number };
    case 'request':
      return { limits: { ...limits, maxRequests: Math.min(number, limits.maxRequests) } };
    case 'mb':
      return { limits: { ...limits, maxBytes: Math.min(number * 1_000_000, limits.maxBytes) } };
    default:
      return undefined;
  }
}

/** Parses `10` or `5 %`. Returns `undefined` for any other text. */
export function parseSampleSize(text: string): SampleSize | undefined {
  const [, number = '', sign] = /^(\d{1,9}(?:[.,]\d{1,6})?)\s*(%?)$/.exec(text.trim()) ?? [];
  const value = Number(number.replace(',', '.'));
  if (sign === '%') {
    return value > 0 && value <= 100 ? { share: value / 100 } : undefined;
  }
  return Number.isSafeInteger(value) && value > 0 ? { count: value } : undefined;
}
