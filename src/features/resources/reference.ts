import type { Reference } from '../../contributions';

/** Returns a key that is unique to the referenced resource. */
export function keyOf({ connection, kind, id, parent }: Reference): string {
  return JSON.stringify([connection, kind, id, ...(parent === undefined ? [] : [keyOf(parent)])]);
}

/** Returns a key for the resources of a kind on a connection, or below one resource. */
export function groupKeyOf(connection: string, kind: string, parent: Reference | undefined): string {
  return JSON.stringify([connection, kind, ...(parent === undefined ? [] : [keyOf(parent)])]);
}

/** Returns only the reference, without the other properties of a row. */
export function plainReference({ connection, kind, id, parent }: Reference): Reference {
  return parent === undefined ? { connection, kind, id } : { connection, kind, id, parent: plainReference(parent) };
}

/** Returns whether a command's argument is a reference to a resource. */
export function isReference(value: unknown): value is Reference {
  const { connection, kind, id } = (value ?? {}) as Partial<Record<keyof Reference, unknown>>;
  return typeof connection === 'string' && typeof kind === 'string' && typeof id === 'string';
}
