import { latestVersionKey, sourceOf, versionKey } from '../../../../client/schemas/skillKeys';
import { describeSince, join, type PresentationContext, shortId } from '../../../../common/text/presentation';
import { contractModels } from '../../../../jsonl/rules/modelNames';
import { toLabel } from '../../../../shared/text';
import { agentName } from '../../kinds/agents';
import { latestWord, ownSkills } from './agentProblems';
import type { CompletionTarget, ServerText } from './agentReferences';
import type { KnownNames } from './serviceNames';

/** Completion at a position. `name` is shown instead of `text` if the text is an ID that means nothing to people. */
export interface AgentOffer {
  readonly text: string;
  readonly name: string;
  /** Text next to the label: an ID or another name, the age, or the target. */
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
  switch (kind) {
    case 'model':
      // If the models of the connection are unknown, those of the API contract are the best guess.
      return (known.models?.items ?? contractModels.map(id => ({ id, display_name: undefined, created_at: undefined }))).map(
        ({ id, display_name: name, created_at: time }) => ({
          text: id,
          name: '',
          detail: join(' · ', name && name !== id ? toLabel(name, 80) : '', describeSince(time, context)),
        }),
      );
    case 'skill':
      return (known.skills?.items ?? [])
        .filter(skill => source === undefined || (source === ownSkills) === ((sourceOf(skill) ?? ownSkills) === ownSkills))
        .map(skill => ({
          text: skill.id,
          name: toLabel(skill.display_title || skill.display_name || '', 80),
          detail: join(' · ', shortId(skill.id), describeSince(skill.updated_at ?? skill.created_at, context)),
        }));
    case 'skillVersion': {
      const skill = known.skills?.items.find(({ id }) => id === skillId);
      const latest = skill && latestVersionKey(skill);
      const versions = known.versions(skillId ?? '')?.items ?? [];
      const always = { text: latestWord, name: '', detail: translate('latest version at run time') };
      return [
        ...(skillId ? [always] : []),
        ...versions.map(version => {
          const text = versionKey(version);
          return {
            text,
            name: '',
            detail: join(
              ' · ',
              text === latest ? translate('latest') : '',
              toLabel(version.name ?? '', 80),
              describeSince(version.created_at, context),
            ),
          };
        }),
      ];
    }
    case 'agent':
      return (known.agents?.items ?? [])
        .filter(agent => typeof agent.archived_at !== 'string')
        .map(agent => ({
          text: agent.id,
          name: agentName(agent),
          detail: join(' · ', shortId(agent.id), describeSince(agent.updated_at ?? agent.created_at, context)),
        }));
    case 'server':
      return [...new Map(servers.map(server => [server.name, server])).values()]
        .filter(({ name }) => name !== '')
        .map(({ name, url }) => ({ text: name, name: '', detail: toLabel(url, 80) }));
  }
}
