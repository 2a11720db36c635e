import { resultStatuses } from '../../shared/results/resultStatus';

const value = String.raw`(?:"[^"]*"|'[^']*'|[\w-]+)`;

/** Matches texts and patterns, which are left alone, and conditions on the old fields. */
const conditions = new RegExp(
  [
    String.raw`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[~,]\s*/(?:\\.|[^/\\])*/`,
    String.raw`(?<![\w.$-])(?<field>state|needs|attention|reason)(?<operator>\s*(?:[!=]=|<>|!?~|=|:)\s*)(?<values>${value}(?:\s*,\s*${value})*)?`,
  ].join('|'),
  'gi',
);

/** Statuses that the old field `attention` put together under one value. */
const attention: ReadonlyMap<string, readonly string[]> = new Map([
  ['any', resultStatuses.slice(1)],
  ['look', resultStatuses.slice(1)],
  ['none', ['succeeded']],
  ['nothing', ['succeeded']],
  ['failed', ['failed', 'expired', 'canceled', 'other']],
]);

/** Rewrites conditions on fields that older versions had: `state`, `needs` and `attention` to `status`, `reason` to `stop`. */
export function rewriteQuery(text: string): string {
  return text.replace(conditions, (whole: string, ...found: readonly unknown[]) => {
    const { field = '', operator = '', values = '' } = found.at(-1) as Readonly<Record<string, string | undefined>>;
    switch (field.toLowerCase()) {
      case 'state':
        return `status${operator}${values}`;
      case 'reason':
        return `stop${operator}${values}`;
      case 'needs':
      case 'attention':
        return `status${toStatuses(operator.trim(), values)}`;
      default:
        return whole;
    }
  });
}

/** Returns the operator and values of `status` for those of `attention`. */
function toStatuses(operator: string, values: string): string {
  const given = values.split(',').map(one => one.trim().replace(/^["']|["']$/g, ''));
  const wanted = new Set(given.flatMap(one => attention.get(one.toLowerCase()) ?? [one]));
  const isNegated = /^[!<]/.test(operator);
  const isAnyOther = !wanted.has('succeeded') && wanted.size === resultStatuses.length - 1;
  return isAnyOther ? `${isNegated ? '=' : '!='}succeeded` : `${isNegated ? '!=' : '='}${[...wanted].join(',')}`;
}
