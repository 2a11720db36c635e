import type { Reference } from '../../../contributions';
import { type Draft, Drafts, draftIdOf, jsonOf, parseDraft } from './drafts';

/** What the user wrote of a thing of the service and has not published. */
export interface ResourceDraft extends Draft {
  readonly kind: string;
  /** Absent for what the service does not have yet. */
  readonly resourceId?: string;
}

/** The drafts of things of the service on this machine. */
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

/** The id of the one draft that a thing can have. */
export function draftIdOfReference({ connection, kind, id }: Reference): string {
  return draftIdOf(connection, kind, id);
}
