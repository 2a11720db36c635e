import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import type { Translate } from '../../../common/text/translate';
import type { Explanation, Limit } from '../../../jsonl/guide/explain';
import type { SuggestedModel } from '../../../jsonl/guide/offers';
import { numberFormat } from '../../../shared/formats';

/** Maximum number of values to list. Other values are only counted. */
const maxValues = 12;

/** Returns whether an explanation is specific to a field's name or its value. Ids and texts have no explanation of their own. */
export function isSpecific({ field, value, values }: Explanation): boolean {
  return value === undefined ? field !== 'custom_id' : field === 'model' || values.some(candidate => candidate.value === value);
}

/**
 * Returns the hover of a field and its value, as Markdown. `isDeprecationReported` is true if a problem in the same hover mentions that the
 * field is deprecated.
 */
export function toHoverText(
  explanation: Explanation,
  { models, isDeprecationReported }: { readonly models: readonly SuggestedModel[]; readonly isDeprecationReported: boolean },
  t: Translate,
  locale: string,
): string {
  const { field, type, isRequired, words, deprecation, value, values, limits } = explanation;
  const number = numberFormat(locale);
  const head = [`**${escapeMarkdown(field)}**`, type === '' ? '' : ` · ${type}`, isRequired ? ` · ${t('required')}` : ''].join('');
  const model = models.find(({ id }) => id === value)?.displayName;
  const named = values.find(candidate => candidate.value === value);
  const facts = [
    ...(explanation.default === undefined ? [] : [t('Default: {0}', code(explanation.default))]),
    ...limits.map(limit => toLimit(limit, t, number)),
  ];
  const known = values.filter(candidate => candidate !== named);
  return [
    head,
    ...(model === undefined ? [] : [escapeMarkdown(model)]),
    ...(named === undefined || named.words === '' ? [] : [`${code(named.value)}: ${t(named.words)}`]),
    ...(words === '' ? [] : [t(words)]),
    ...(deprecation === undefined || isDeprecationReported ? [] : [`⚠ ${t(deprecation)}`]),
    ...(facts.length === 0 ? [] : [facts.join(' · ')]),
    ...(field === 'model' || known.length === 0 ? [] : [toList(known, named !== undefined, t)]),
  ].join('\n\n');
}

function toList(values: Explanation['values'], isRest: boolean, t: Translate): string {
  const shown = values.slice(0, maxValues).map(({ value, words }) => `- ${code(value)}${words === '' ? '' : `: ${t(words)}`}`);
  const more = values.length > maxValues ? [`- ${t('and {0} more', values.length - maxValues)}`] : [];
  return [isRest ? t('Other values:') : t('Values:'), '', ...shown, ...more].join('\n');
}

function toLimit({ kind, minimum, maximum, pattern = '' }: Limit, t: Translate, { format }: Intl.NumberFormat): string {
  if (kind === 'pattern') {
    return t('Pattern: {0}', `\`${pattern}\``);
  }
  const range =
    minimum !== undefined && maximum !== undefined
      ? minimum === maximum
        ? t('exactly {0}', format(maximum))
        : t('{0} to {1}', format(minimum), format(maximum))
      : maximum !== undefined
        ? t('at most {0}', format(maximum))
        : t('at least {0}', format(minimum ?? 0));
  switch (kind) {
    case 'number':
      return t('Value: {0}', range);
    case 'characters':
      return t('Characters: {0}', range);
    case 'items':
      return t('Items: {0}', range);
  }
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}
