import type { Path } from './cursorPlace';

/** How requests are written and read: whom they are for comes before what is asked, and the rest after that. */
const usualOrder: readonly string[] = ['custom_id', 'params', 'model', 'max_tokens', 'system', 'messages', 'tools'];

/**
 * Where a field comes among those of the object at `path`, the least first: fields of a request in the order people write them,
 * elsewhere required ones first, then the rest, last what is deprecated.
 */
export function rankOfField(path: Path, name: string, isRequired: boolean, isDeprecated: boolean): number {
  const isOfRequest = path.length === 0 || (path.length === 1 && path[0] === 'params');
  const usual = isOfRequest ? usualOrder.indexOf(name) : -1;
  return usual >= 0 ? usual - usualOrder.length : isRequired ? 0 : isDeprecated ? 2 : 1;
}
