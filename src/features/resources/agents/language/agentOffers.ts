import type { Model } from '../../../../client/resources/models';
import { latestVersionKey, sourceOf, versionKey } from '../../../../client/resources/skills';
import { describeSince, type PresentationContext, shortId } from '../../../../common/text/presentation';
import { contractModels } from '../../../../jsonl/rules/modelNames';
import { join, toLabel } from '../../../../shared/text';
import { agentName } from '../../kinds/agents';
import type { Resource } from '../../resourceKind';
import { latestWord, ownSkills } from './agentProblems';
import type { CompletionTarget, ServerText } from './agentReferences';
import type { KnownNames } from './serviceNames';

/** Completion at a position. `name` is shown instead of `text` if `text` is only an ID. */
export interface AgentOffer {
  readonly text: string;
  readonly name: string;
  /** Text next to the label: another name or the ID, the age, or the URL of a server. */
  readonly detail: string;
}

/** Returns the completions at a position of an agent document, most likely first. Archived agents are omitted. */
export function offersFor(
  { kind, source, skillId }: CompletionTarget,
  known: KnownNames,
  servers: readonly ServerText[],
  context: PresentationContext,
): readonly AgentOffer[] {
  const { translate } = context;
  const offer = (text: string, name: string, ...details: readonly string[]) => ({ text, name, detail: join(' · ', ...details) });
  const ageOf = ({ updated_at: updated, created_at: created }: Dated) => describeSince(updated ?? created, context);
  switch (kind) {
    case 'model': {
      const detail = ({ id, display_name: name }: Model) => (name && name !== id ? toLabel(name, 80) : '');
      // If the models of the connection are unknown, offers the models of the API contract.
      return known.models?.items.map(model => offer(model.id, '', detail(model), ageOf(model))) ?? contractModels.map(id => offer(id, ''));
    }
    case 'skill':
      return (known.skills?.items ?? [])
        .filter(skill => source === undefined || (source === ownSkills) === ((sourceOf(skill) ?? ownSkills) === ownSkills))
        .map(skill => offer(skill.id, toLabel(skill.display_title || skill.display_name || '', 80), shortId(skill.id), ageOf(skill)));
    case 'skillVersion': {
      const skill = known.skills?.items.find(({ id }) => id === skillId);
      const latest = skill && latestVersionKey(skill);
      const versions = (known.versions(skillId ?? '')?.items ?? []).map(version => {
        const text = versionKey(version);
        return offer(text, '', text === latest ? translate('latest') : '', toLabel(version.name ?? '', 80), ageOf(version));
      });
      return [...(skillId ? [offer(latestWord, '', translate('latest version at run time'))] : []), ...versions];
    }
    case 'agent':
      return (known.agents?.items ?? [])
        .filter(agent => typeof agent.archived_at !== 'string')
        .map(agent => offer(agent.id, agentName(agent), shortId(agent.id), ageOf(agent)));
    case 'server':
      return [...new Map(servers.map(server => [server.name, server])).values()]
        .filter(({ name }) => name !== '')
        .map(({ name, url }) => offer(name, '', toLabel(url, 80)));
  }
}

type Dated = Pick<Resource, 'updated_at' | 'created_at'>;
