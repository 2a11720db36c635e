import type { Draft } from '../resources/definitions';
import { Drafts, jsonOf, parseDraft } from '../resources/definitions';

export { draftIdOf } from '../resources/definitions';

/** What the user wrote of an agent and has not published. */
export interface AgentDraft extends Draft {
  /** Absent for an agent that the service does not have yet. */
  readonly agentId?: string;
}

/** The drafts of agents on this machine. */
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
