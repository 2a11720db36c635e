import type { Draft } from '../resources/definitions';
import { Drafts, jsonOf, parseDraft } from '../resources/definitions';

export { draftIdOf } from '../resources/definitions';

/** Unpublished edits of an agent. */
export interface AgentDraft extends Draft {
  /** `undefined` if the service does not have the agent yet. */
  readonly agentId?: string;
}

/** Drafts of agents on this machine. */
export class AgentDrafts extends Drafts<AgentDraft> {
  constructor(folder: string) {
    super(folder, text => {
      const value = jsonOf(text);
      const draft = parseDraft(value);
      const { agentId } = (value ?? {}) as { readonly agentId?: unknown };
      return draft && { ...draft, ...(typeof agentId === 'string' ? { agentId } : {}) };
    });
  }
}
