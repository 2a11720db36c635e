import { ServiceError } from '../../client/transport/errors';

/** Returns whether a change was refused because somebody else changed the resource first (API facts, section 3: 409 in every dialect). */
export function isConflict(error: unknown): boolean {
  return error instanceof ServiceError && (error.kind === 'conflict' || error.status === 409);
}
