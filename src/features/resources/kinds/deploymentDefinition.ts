import type { Deployment } from '../../../client/schemas/deployments';
import type { ServiceClient } from '../../../client/serviceClient';
import type { Translate } from '../../../common/text/translate';
import { isRecord } from '../../../shared/isRecord';
import { ownZone } from '../../../shared/schedule/zoneTime';
import { describeValue, toLabel } from '../../../shared/text';
import type { Definition } from '../definitions';
import type { Choice, DefinitionTexts, KindDefinition, Need, Secret, Template } from '../resourceKind';

/** Document of a deployment (API facts, section 14). */
export const deploymentDefinition: KindDefinition<Deployment> = {
  ending: 'deployment',
  service: new Set(['id', 'type', 'created_at', 'updated_at', 'archived_at', 'status', 'paused_reason']),
  order: ['name', 'description', 'agent', 'environment_id', 'schedule', 'initial_events', 'resources', 'vault_ids', 'budget', 'metadata'],
  required: ['name', 'agent', 'environment_id', 'initial_events'],
  questions: textsOf,
  templates: templatesOf,
  needs: [agentNeed(), environmentNeed()],
  read: readDefinition,
  secrets: ({ resources }, translate) => tokensOf(resources, translate),
  problem: (wanted, _, translate) =>
    hasToken(wanted.resources)
      ? translate('Remove "authorization_token": everyone can read it here. You\'ll be asked for it when you publish.')
      : undefined,
};

/** Returns the user's part of a deployment, without computed fields and without omitted fields that the service returns as empty. */
export function readDefinition(deployment: Deployment): Definition {
  const { schedule, ...rest } = deployment;
  const clock = schedule ? { schedule: withoutReckoned(schedule) } : {};
  return Object.fromEntries(Object.entries({ ...rest, ...clock }).filter(([, value]) => !isEmpty(value)));
}

function withoutReckoned(schedule: object): object {
  return Object.fromEntries(Object.entries(schedule).filter(([name]) => name !== 'last_run_at' && name !== 'upcoming_runs_at'));
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isRecord(value) && Object.keys(value).length === 0)
  );
}

function hasToken(resources: unknown): boolean {
  return Array.isArray(resources) && resources.some(resource => isRecord(resource) && 'authorization_token' in resource);
}

/** Returns the repository tokens that the request needs: the service requires them but never returns them. */
function tokensOf(resources: unknown, translate: Translate): readonly Secret[] {
  return (Array.isArray(resources) ? resources : []).flatMap((resource, at): readonly Secret[] => {
    const isRepository = isRecord(resource) && (resource.type === 'git_repository' || resource.type === 'github_repository');
    const prompt = translate('Token for {0}, sent to the service and not stored here', toLabel(describeValue(resource?.url), 100));
    return isRepository ? [{ prompt, path: ['resources', at, 'authorization_token'] }] : [];
  });
}

function agentNeed(): Need {
  return {
    question: translate => translate('Select an agent'),
    none: translate => translate('Create an agent first.'),
    choices: async ({ agents }: ServiceClient, { translate }) => {
      const { items } = await agents.list({ limit: 100 });
      return items
        .filter(({ archived_at: archived }) => typeof archived !== 'string')
        .map(({ id, name, version }): Choice => {
          const pinned = typeof version === 'number' ? { version } : {};
          return {
            label: toLabel(name ?? '', 80) || toLabel(id, 60),
            description: typeof version === 'number' ? translate('version {0}', version) : '',
            icon: 'robot',
            fields: { agent: { type: 'agent', id, ...pinned } },
          };
        });
    },
  };
}

function environmentNeed(): Need {
  return {
    question: translate => translate('Select an environment'),
    none: translate => translate('Create an environment first.'),
    choices: async ({ environments }: ServiceClient) => {
      const { items } = await environments.list({ limit: 100 });
      return items
        .filter(({ archived_at: archived }) => typeof archived !== 'string')
        .map(
          ({ id, name, description }): Choice => ({
            label: toLabel(name ?? '', 80) || toLabel(id, 60),
            description: toLabel(description ?? '', 100),
            icon: 'server-environment',
            fields: { environment_id: id },
          }),
        );
    },
  };
}

function textsOf(translate: Translate): DefinitionTexts {
  return {
    create: (name, connection) => translate('Create "{0}" on {1}?', name, connection),
    createButton: translate('Create'),
    createDetail: translate('Sessions start on its schedule. Each costs money.'),
    publishDetail: (changed, connection) => translate("Changes {0} on {1}. Running sessions aren't affected.", changed, connection),
  };
}

function templatesOf(translate: Translate): readonly Template[] {
  const definition = (name: string, text: string, expression?: string): Definition => ({
    name,
    agent: { type: 'agent', id: '' },
    environment_id: '',
    ...(expression === undefined ? {} : { schedule: { type: 'cron', expression, timezone: ownZone() } }),
    initial_events: [{ type: 'user.message', content: [{ type: 'text', text }] }],
    budget: { type: 'limit', max_list_cost: { amount: '500', currency: 'USD' } },
  });
  return [
    {
      label: translate('Every Weekday Morning'),
      description: translate('Monday to Friday at nine, in your time zone'),
      definition: definition('Weekday morning', 'Summarize what changed since yesterday.', '0 9 * * 1-5'),
    },
    {
      label: translate('Every Hour'),
      description: translate('At minute 0'),
      definition: definition('Hourly check', 'Check that everything works, and say only what does not.', '0 * * * *'),
    },
    {
      label: translate('by hand'),
      description: translate('No schedule'),
      definition: definition('by hand', 'Begin with the work.'),
    },
  ];
}
