import type { Deployment } from '../../../client/resources/deployments';
import type { Translate } from '../../../common/text/translate';
import { isRecord } from '../../../shared/isRecord';
import { ownZone } from '../../../shared/schedule/zoneTime';
import { describeValue, toLabel } from '../../../shared/text';
import type { Definition } from '../definitions/definitionText';
import type { Choice, KindDefinition, Resource, Template } from '../resourceKind';
import { template } from './defineKind';

/** Document of a deployment (API facts, section 14). */
export const deploymentDefinition: KindDefinition<Deployment> = {
  ending: 'deployment',
  service: ['status', 'paused_reason'],
  order: ['name', 'description', 'agent', 'environment_id', 'schedule', 'initial_events', 'resources', 'vault_ids', 'budget', 'metadata'],
  required: ['name', 'agent', 'environment_id', 'initial_events'],
  createDetail: translate => translate('The deployment starts sessions on its schedule. Each costs money.'),
  sparesSessions: true,
  templates: templatesOf,
  needs: [
    {
      question: translate => translate('Select an agent'),
      none: translate => translate('Create an agent first.'),
      choices: async ({ agents }, { translate }) =>
        choicesOf((await agents.list({ limit: 100 })).items, 'robot', ({ id, version }) => {
          const isKnown = typeof version === 'number';
          return {
            description: isKnown ? translate('version {0}', version) : '',
            fields: { agent: { type: 'agent', id, ...(isKnown ? { version } : {}) } },
          };
        }),
    },
    {
      question: translate => translate('Select an environment'),
      none: translate => translate('Create an environment first.'),
      choices: async ({ environments }) =>
        choicesOf((await environments.list({ limit: 100 })).items, 'server-environment', ({ id, description }) => ({
          description: toLabel(description ?? '', 100),
          fields: { environment_id: id },
        })),
    },
  ],
  read: readDefinition,
  withSecrets: withTokens,
  problem: (wanted, _, translate) =>
    hasToken(wanted.resources)
      ? translate('Remove "authorization_token": anyone can read it here. You\'ll be asked for it when you publish.')
      : undefined,
};

/** Returns the fields of a deployment that the user writes. Leaves out computed fields, and empty fields that the user omitted. */
function readDefinition({ schedule, ...rest }: Deployment): object {
  const { last_run_at: _, upcoming_runs_at: __, ...clock } = schedule ?? {};
  const isEmpty = (value: unknown) => (value ?? '') === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  return Object.fromEntries(Object.entries({ ...rest, schedule: clock }).filter(([, value]) => !isEmpty(value)));
}

function hasToken(resources: unknown): boolean {
  return Array.isArray(resources) && resources.some(resource => isRecord(resource) && 'authorization_token' in resource);
}

/** Adds the tokens of repositories, which the service requires but never returns. */
async function withTokens(sent: Definition, ask: (prompt: string) => Promise<string>, translate: Translate): Promise<Definition> {
  if (!Array.isArray(sent.resources)) {
    return sent;
  }
  const resources: unknown[] = [];
  for (const resource of sent.resources as readonly unknown[]) {
    const isRepository = isRecord(resource) && (resource.type === 'git_repository' || resource.type === 'github_repository');
    const token = isRepository
      ? await ask(translate('Token for {0}, sent to the service and not stored here', toLabel(describeValue(resource.url), 100)))
      : '';
    resources.push(isRepository && token !== '' ? { ...resource, authorization_token: token } : resource);
  }
  return { ...sent, resources };
}

function choicesOf<T extends Resource & { readonly name?: string | null | undefined }>(
  items: readonly T[],
  icon: string,
  rest: (item: T) => Pick<Choice, 'description' | 'fields'>,
): Choice[] {
  return items
    .filter(({ archived_at: archived }) => typeof archived !== 'string')
    .map(item => ({ label: toLabel(item.name ?? '', 80) || toLabel(item.id, 60), icon, ...rest(item) }));
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
    template(
      translate('Every Weekday Morning'),
      translate('Monday to Friday at nine, in your time zone'),
      definition('Weekday morning', 'Summarize what changed since yesterday.', '0 9 * * 1-5'),
    ),
    template(
      translate('Every Hour'),
      translate('At minute 0'),
      definition('Hourly check', 'Check that everything works, and say only what does not.', '0 * * * *'),
    ),
    template(translate('Manual'), translate('No schedule'), definition('by hand', 'Begin with the work.')),
  ];
}
