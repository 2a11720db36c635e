import type { Agent } from '../../client/schemas/agents';
import { DefinitionFiles, nameInUri, toShown } from '../resources/documents';
import { type AgentDraft, type AgentDrafts, draftIdOf } from './agentDrafts';
import { agentKind } from './agentKind';
import type { AgentService } from './agentService';
import { type AgentLocation, parseAgentUri, toAgentUri } from './agentUri';

/** File system of agents: the latest version of each can be edited as a draft, and other versions are read-only. */
export class AgentFiles extends DefinitionFiles<AgentLocation, AgentDraft> {
  constructor(service: AgentService, drafts: AgentDrafts) {
    super({
      drafts,
      snapshotScheme: 'managed-agents-draft',
      parse: parseAgentUri,
      toUri: toAgentUri,
      draftIdOf: place =>
        place.kind === 'version' ? undefined : place.kind === 'new' ? place.draftId : draftIdOf(place.connection, place.agentId),
      isNew: ({ kind }) => kind === 'new',
      toDraft: (place, saved) => ({
        connection: place.connection,
        ...(place.kind === 'agent' ? { agentId: place.agentId } : {}),
        ...saved,
      }),
      read: async (place, byItself) => {
        if (place.kind === 'new') {
          throw new Error('unreachable: a new agent is on no service');
        }
        return toShown(
          agentKind,
          place.kind === 'version'
            ? await service.version(place.connection, place.agentId, place.version, byItself)
            : await service.latest(place, byItself),
        );
      },
      nameOf: uri => nameInUri(uri, '.agent.json'),
    });
  }

  /** Records the latest version of an agent. An open document without a draft then shows it. */
  seeAgent(connection: string, agent: Agent): void {
    this.see(
      draftIdOf(connection, agent.id),
      () => toShown(agentKind, agent),
      ({ version }) => version !== agent.version,
    );
  }
}
