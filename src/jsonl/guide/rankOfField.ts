import type { Path } from './cursorPosition';

/** Usual order of the fields of a request. */
const usualOrder: readonly string[] = ['custom_id', 'params', 'model', 'max_tokens', 'system', 'messages', 'tools'];

/**
 * Returns the rank of a field in the object at `path`, lowest first. Fields of a request have their usual order. In other objects, required
 * fields are first and deprecated ones last.
 */
export function rankOfField(path: Path, name: string, isRequired: boolean, isDeprecated: boolean): number {
  const isOfRequest = path.length === 0 || (path.length === 1 && path[0] === 'params');
  const usual = isOfRequest ? usualOrder.indexOf(name) : -1;
  return usual >= 0 ? usual - usualOrder.length : isRequired ? 0 : isDeprecated ? 2 : 1;
}
