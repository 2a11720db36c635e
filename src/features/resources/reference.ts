import type { Reference } from '../../contributions';

/** A text that only this reference has: the same thing has the same one. */
export function keyOf({ connection, kind, id, parent }: Reference): string {
  return JSON.stringify([connection, kind, id, ...(parent === undefined ? [] : [keyOf(parent)])]);
}

/** A text for the members of a kind on a connection, or below one thing of it. */
export function groupKeyOf(connection: string, kind: string, parent: Reference | undefined): string {
  return JSON.stringify([connection, kind, ...(parent === undefined ? [] : [keyOf(parent)])]);
}

/** The reference itself, without what else the row of a view has that stands for it. */
export function plainReference({ connection, kind, id, parent }: Reference): Reference {
  return parent === undefined ? { connection, kind, id } : { connection, kind, id, parent: plainReference(parent) };
}

/** Whether a command's argument names a thing of the service. */
export function isReference(value: unknown): value is Reference {
  const { connection, kind, id } = (value ?? {}) as Partial<Record<keyof Reference, unknown>>;
  return typeof connection === 'string' && typeof kind === 'string' && typeof id === 'string';
}
