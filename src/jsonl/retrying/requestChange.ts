import { JsonLine } from '../fixes/jsonLine';
import { removal, replacement } from '../fixes/jsonParts';
import type { TextEdit } from '../fixes/textEdit';
import { nextMaxTokens } from './remedyOf';
import type { RequestChange } from './retryingJobs';

/** Returns the edit that makes a change in a request's line or in bare params, or `undefined` if there is nothing to change. */
export function editOf(text: string, change: RequestChange): TextEdit | undefined {
  const line = new JsonLine(text);
  const place = (path: readonly (string | number)[]) => line.partAt([...line.paramsPath, ...path]);
  switch (change.kind) {
    case 'raise_max_tokens':
    case 'lower_max_tokens': {
      const found = place(['max_tokens']);
      const now = found === undefined ? undefined : line.valueOf(found.part);
      if (found === undefined || typeof now !== 'number') {
        return undefined;
      }
      const isDue = change.kind === 'raise_max_tokens' ? now < change.to : now > change.to;
      return isDue ? replacement(found.part, String(change.to)) : undefined;
    }
    case 'raise_each': {
      const found = place(['max_tokens']);
      const now = found && line.valueOf(found.part);
      const model = place(['model']);
      const name = model && line.valueOf(model.part);
      const to = typeof now === 'number' ? nextMaxTokens(now, change.bounds.find(([bounded]) => bounded === name)?.[1]) : undefined;
      return found === undefined || to === undefined ? undefined : replacement(found.part, String(to));
    }
    case 'set_model': {
      const found = place(['model']);
      return found === undefined || line.valueOf(found.part) === change.model
        ? undefined
        : replacement(found.part, JSON.stringify(change.model));
    }
    case 'remove': {
      const found = place(change.path);
      return found === undefined ? undefined : removal(found);
    }
  }
}
