import type { Draft } from '../resources/definitions';
import { Drafts, jsonOf, parseDraft } from '../resources/definitions';

export { draftIdOf, newDraftId } from '../resources/definitions';

/** What the user wrote of an agent and has not published. */
export interface AgentDraft extends Draft {
  /** Absent for an agent that the service does not have yet. */
  readonly agentId?: string;
  /** Version it was begun from, and that one's document. */
  readonly base?: { readonly version: number; readonly text: string };
}

/** The drafts of agents on this machine. */
export class AgentDrafts extends Drafts<AgentDraft> {
  constructor(folder: string) {
    super(folder, text => {
      const value = jsonOf(text);
      const draft = parseDraft(value);
      if (draft === undefined) {
        return undefined;
      }
      const { agentId } = value as { readonly agentId?: unknown };
      const { base, ...rest } = draft;
      return {
        ...rest,
        ...(typeof agentId === 'string' ? { agentId } : {}),
        ...(base?.version === undefined ? {} : { base: { version: base.version, text: base.text } }),
      };
    });
  }
}
