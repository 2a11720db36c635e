import { ServiceError } from '../../../client/transport/errors';
import type { Translate } from '../../../common/text/translate';

/** Returns whether an error is a 404 of the service. */
export function isGone(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404;
}

/** Returns `undefined` for a 404 of the service. Throws any other error. */
export function undefinedIfGone(error: unknown): undefined {
  if (!isGone(error)) {
    throw error;
  }
}

/** Returns the message for a resource that is no longer on the service. */
export function describeGone(name: string, translate: Translate): string {
  return translate('{0} is no longer on the service.', name);
}

/** Returns whether a change was refused because somebody else changed the resource first (API facts, section 3: 409 in every dialect). */
export function isConflict(error: unknown): boolean {
  return error instanceof ServiceError && (error.kind === 'conflict' || error.status === 409);
}

/** Returns the error for the user if somebody else changed the resource `name` first. Returns any other error unchanged. */
export function toConflict(error: unknown, name: string, translate: Translate): unknown {
  const message = () => translate('{0} has changed in the meantime. Review it and try again.', name);
  return isConflict(error) ? new Error(message(), { cause: error }) : error;
}
