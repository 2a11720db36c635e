import { resultStatuses } from '../../shared/results/resultStatus';

/** Texts and patterns, which contain no fields. */
const literals = /("(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|[~,]\/(?:\\.|[^/\\])*\/?)/;

const conditions = /([\w.$-]+)(?:(\s*[!=<>~:]+\s*)([\w-]*(?:,[\w-]+)*))?/g;

/** Statuses by value of the old field `attention`. */
const attention: ReadonlyMap<string, readonly string[]> = new Map([
  ['any', resultStatuses.slice(1)],
  ['look', resultStatuses.slice(1)],
  ['none', ['succeeded']],
  ['nothing', ['succeeded']],
  ['failed', ['failed', 'expired', 'canceled', 'other']],
]);

/** Rewrites conditions on fields of older versions: `state`, `needs` and `attention` become `status`, and `reason` becomes `stop`. */
export function rewriteQuery(text: string): string {
  return text
    .split(literals)
    .map((part, at) => (at % 2 === 1 ? part : rewritePart(part)))
    .join('');
}

function rewritePart(part: string): string {
  return part.replace(conditions, (whole: string, name: string, operator?: string, values = '') => {
    const field = operator === undefined ? undefined : name.toLowerCase();
    if (field === 'state' || field === 'reason') {
      return `${field === 'state' ? 'status' : 'stop'}${operator}${values}`;
    }
    return field === 'needs' || field === 'attention' ? `status${toStatuses(operator?.trim() ?? '', values)}` : whole;
  });
}

function toStatuses(operator: string, values: string): string {
  const wanted = new Set(values.split(',').flatMap(one => attention.get(one.toLowerCase()) ?? [one]));
  const isAnyOther = !wanted.has('succeeded') && wanted.size === resultStatuses.length - 1;
  const isNegated = /^[!<]/.test(operator) !== isAnyOther;
  return `${isNegated ? '!=' : '='}${isAnyOther ? 'succeeded' : [...wanted].join(',')}`;
}
