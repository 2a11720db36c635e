import type { Reference } from '../../../contributions';
import { type Draft, Drafts, draftIdOf, jsonOf, parseDraft } from './drafts';

/** Unpublished edits of a resource. */
export interface ResourceDraft extends Draft {
  readonly kind: string;
  /** `undefined` if the service does not have the resource yet. */
  readonly resourceId?: string;
}

/** Drafts of resources on this machine. */
export class ResourceDrafts extends Drafts<ResourceDraft> {
  constructor(folder: string) {
    super(folder, text => {
      const value = jsonOf(text);
      const draft = parseDraft(value);
      const { kind, resourceId } = (value ?? {}) as Partial<Record<keyof ResourceDraft, unknown>>;
      return draft === undefined || typeof kind !== 'string'
        ? undefined
        : { ...draft, kind, ...(typeof resourceId === 'string' ? { resourceId } : {}) };
    });
  }
}

/** Returns the ID of the only draft that a resource can have. */
export function draftIdOfReference({ connection, kind, id }: Reference): string {
  return draftIdOf(connection, kind, id);
}
