import type { Model } from '../../../../client/resources/models';
import { latestVersionKey, type Skill } from '../../../../client/resources/skills';
import type { ServiceClient } from '../../../../client/serviceClient';
import { describeError } from '../../../../common/text/describeError';
import { escapeMarkdown } from '../../../../common/text/escapeMarkdown';
import { describeTime, type PresentationContext } from '../../../../common/text/presentation';
import { numberFormat } from '../../../../shared/formats';
import { agents } from '../../kinds/agents';
import { skills, skillVersions } from '../../kinds/skills';
import { isGone } from '../../lists/resourceErrors';
import { toHover } from '../../resourcePresentation';
import { latestWord } from './agentProblems';
import type { AgentReferenceText } from './agentReferences';
import type { KnownNames } from './serviceNames';

/** Source of hovers. `client` rejects if no request may be sent now. */
export interface HoverSource {
  readonly connection: string;
  readonly client: () => Promise<Pick<ServiceClient, 'agents' | 'skills'>>;
  readonly known: KnownNames;
  readonly signal: AbortSignal;
}

/**
 * Describes the target of a reference as Markdown, such as its name, description, version and archived state, or explains why it can't be
 * read. Returns `undefined` if there is nothing to describe.
 */
export async function describeReference(
  reference: AgentReferenceText,
  source: HoverSource,
  context: PresentationContext,
): Promise<string | undefined> {
  const { kind, text, skillId, version } = reference;
  const { connection, known, signal } = source;
  if (kind === 'model') {
    const model = known.models?.items.find(({ id }) => id === text);
    return model && toHover(modelKind, model, connection, context);
  }
  if (text === '' || kind === 'server' || (kind === 'skillVersion' && !skillId)) {
    return undefined;
  }
  try {
    const calls = await source.client();
    if (kind === 'agent') {
      const { data } = await calls.agents.retrieve(text, version === undefined ? { signal } : { signal, version: version.value });
      return toHover(agents, data, connection, context);
    }
    const skill = async (id: string) => (await calls.skills.retrieve(id, { signal })).data;
    if (kind === 'skill') {
      const value = await skill(text);
      const described = [context.translate('Description'), await descriptionOf(calls, value, signal)] as const;
      return toHover({ name: skills.name, facts: (...values) => [...skills.facts(...values), described] }, value, connection, context);
    }
    const kindCalls = skillVersions.calls(calls as ServiceClient, { connection, kind: skills.kind, id: skillId ?? '' });
    const key = text === latestWord ? latestVersionKey(await skill(skillId ?? '')) : text;
    return key && toHover(skillVersions, (await kindCalls.retrieve(key, { signal })).data, connection, context);
  } catch (error) {
    return escapeMarkdown(isGone(error) ? context.translate("{1} isn't on the connection {0}.", connection, text) : describeError(error));
  }
}

/** Returns the description of the newest version of a skill, or '' if the description can't be read. */
async function descriptionOf({ skills: calls }: Pick<ServiceClient, 'skills'>, skill: Skill, signal: AbortSignal): Promise<string> {
  const key = latestVersionKey(skill);
  if (key === undefined) {
    return '';
  }
  const version = await calls
    .versions(skill.id)
    .retrieve(key, { signal })
    .catch(() => undefined);
  return version?.data.description ?? '';
}

const modelKind = {
  name: ({ id, display_name: name }: Model) => name || id,
  facts: ({ max_input_tokens: input, max_tokens: output, created_at: time }: Model, context: PresentationContext) => {
    const { translate, locale } = context;
    const count = (value: number | null | undefined) => (typeof value === 'number' ? numberFormat(locale).format(value) : '');
    return [
      [translate('Maximum input tokens'), count(input)],
      [translate('Maximum output tokens'), count(output)],
      [translate('Created'), time ? describeTime(time, context) : ''],
    ] as const;
  },
};
