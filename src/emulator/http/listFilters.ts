import { invalidRequest } from './apiError';

/** Query names of every list that are not filters. */
const plainNames: ReadonlySet<string> = new Set(['beta', 'limit', 'page']);

/** Throws a 400 for a name that is not a filter of the list (contract, List endpoints 4). */
export function refuseUnknownNames(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) {
    const base = name.endsWith('[]') ? name.slice(0, -2) : name;
    if (!plainNames.has(name) && !known.includes(base)) {
      throw invalidRequest(`${name}: unknown filter`);
    }
  }
}

/** Returns the requested page size or the default. Throws a 400 if it is not from 1 to `most`. */
export function limitOf(query: URLSearchParams, { normal, most }: { readonly normal: number; readonly most: number }): number {
  const text = query.get('limit');
  if (text === null) {
    return normal;
  }
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > most) {
    throw invalidRequest(`limit: must be between 1 and ${most}`);
  }
  return limit;
}

/** Returns a flag, false if absent. Throws a 400 unless it is `true` or `false`. */
export function flagOf(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  if (text !== null && text !== 'true' && text !== 'false') {
    throw invalidRequest(`${name}: Input should be a valid boolean`);
  }
  return text === 'true';
}

/** Returns a positive integer. Throws a 400 for anything else. */
export function countOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text !== null && !/^[1-9]\d{0,8}$/.test(text)) {
    throw invalidRequest(`${name}: Input should be a valid integer`);
  }
  return text === null ? undefined : Number(text);
}

/** Returns the value of a filter. Throws a 400 if it is not one of `choices`. */
export function choiceOf<T extends string>(query: URLSearchParams, name: string, choices: readonly T[]): T | undefined {
  const text = query.get(name);
  const found = choices.find(choice => choice === text);
  if (text !== null && found === undefined) {
    throw invalidRequest(`${name}: must be one of ${choices.join(', ')}`);
  }
  return found;
}

/** Returns the values of `name[]=a&name[]=b`, or `undefined` if there are none. */
export function valuesOf(query: URLSearchParams, name: string): readonly string[] | undefined {
  const values = query.getAll(`${name}[]`);
  return values.length === 0 ? undefined : values;
}

/**
 * Returns a filter that accepts times in milliseconds within `created_at[gt|gte|lt|lte]` of the query. Throws a 400 for an invalid time.
 */
export function createdFilter(query: URLSearchParams): (time: number) => boolean {
  const bound = (name: string): number | undefined => {
    const text = query.get(`created_at[${name}]`);
    const time = text === null ? undefined : Date.parse(text);
    if (time !== undefined && (Number.isNaN(time) || !/^\d{4}-\d\d-\d\dT/.test(text ?? ''))) {
      throw invalidRequest(`created_at[${name}]: Input should be a valid date-time`);
    }
    return time;
  };
  const [gt, gte, lt, lte] = [bound('gt'), bound('gte'), bound('lt'), bound('lte')];
  return time =>
    (gt === undefined || time > gt) &&
    (gte === undefined || time >= gte) &&
    (lt === undefined || time < lt) &&
    (lte === undefined || time <= lte);
}

/** Names of the filters that `createdFilter` reads. */
export const createdNames: readonly string[] = ['created_at[gt]', 'created_at[gte]', 'created_at[lt]', 'created_at[lte]'];
