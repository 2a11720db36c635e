import type { Environment } from '../../../client/resources/environments';
import type { Session } from '../../../client/resources/sessions';
import { nameOrId, type PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { isRecord } from '../../../shared/isRecord';
import { describeValue, toLabel } from '../../../shared/text';
import type { Definition } from '../definitions/definitionText';
import type { Fact, KindDefinition, ResourceKind, Template } from '../resourceKind';
import { archiving, defineKind, deleting, template } from './defineKind';
import { dependentsOf } from './dependents';
import { work } from './work';

const definition: KindDefinition<Environment> = {
  ending: 'environment',
  service: ['state'],
  order: ['name', 'description', 'config', 'scope', 'metadata'],
  required: ['name'],
  createDetail: translate => translate("Its type can't be changed later."),
  sparesSessions: true,
  templates: templatesOf,
  // The service returns an omitted description as an empty text, which updates don't need.
  read: ({ description, ...rest }) => (description ? { description, ...rest } : rest),
  problem: (wanted, before, translate) => {
    const [now, then] = [typeOf(wanted.config), typeOf(before?.config)];
    return then !== undefined && now !== then
      ? translate('The type "{0}" can\'t be changed to "{1}". Create another environment.', then, now ?? '?')
      : undefined;
  },
};

/** Sandbox environments that sessions run in (API facts, section 11). */
export const environments: ResourceKind<Environment> = defineKind({
  kind: 'environment',
  icon: 'server-environment',
  hasArchived: true,
  title: translate => translate('Environments'),
  calls: ({ environments: calls }) => calls,
  name: ({ id, name }) => nameOrId(name, id),
  row: (environment, { translate }) => ({
    words: [describeReach(environment, translate)],
    icon: isSelfHosted(environment) ? 'vm' : 'server-environment',
    abilities: ['deletable'],
    whileActive: ['editable', 'archivable'],
  }),
  facts: factsOf,
  definition,
  usedBy: (client, { id }, context) =>
    dependentsOf(client, { session: one => one.environment_id === id, deployment: one => one.environment_id === id }, context),
  acts: {
    archive: archiving(translate => translate("It starts no more sessions. This can't be undone.")),
    delete: deleting(translate => translate("This can't be undone. An environment that sessions use can't be deleted.")),
  },
  children: environment => (isSelfHosted(environment) ? [environmentSessions, work] : [environmentSessions]),
});

function isSelfHosted({ config }: Environment): boolean {
  return config?.type === 'self_hosted';
}

function typeOf(config: unknown): string | undefined {
  return isRecord(config) && typeof config.type === 'string' ? config.type : undefined;
}

function describeReach({ config }: Environment, translate: Translate): string {
  if (config?.type === 'self_hosted') {
    return translate('self-hosted');
  }
  const { networking } = config ?? {};
  const hosts = networking?.allowed_hosts?.length ?? 0;
  switch (networking?.type) {
    case 'unrestricted':
      return translate('open network');
    case 'limited':
      return hosts === 0
        ? translate('no hosts allowed')
        : hosts === 1
          ? translate('1 host allowed')
          : translate('{0} hosts allowed', hosts);
    default:
      return toLabel(networking?.type ?? config?.type ?? '', 40);
  }
}

function factsOf(environment: Environment, { translate }: PresentationContext): readonly Fact[] {
  const { networking, packages } = environment.config ?? {};
  const flag = (value: boolean | null | undefined) =>
    value === true ? translate('allowed') : value === false ? translate('not allowed') : '';
  const limited = networking?.type === 'limited';
  return [
    [translate('Description'), environment.description ?? ''],
    [translate('Type'), isSelfHosted(environment) ? translate('self-hosted') : (environment.config?.type ?? '')],
    [translate('Network'), describeReach(environment, translate)],
    [translate('Allowed hosts'), limited ? (networking?.allowed_hosts ?? []).join(', ') : ''],
    [translate('MCP servers'), limited ? flag(networking?.allow_mcp_servers) : ''],
    [translate('Package managers'), limited ? flag(networking?.allow_package_managers) : ''],
    ...Object.entries(packages ?? {}).flatMap(([manager, names]): readonly Fact[] =>
      Array.isArray(names) && names.length > 0 ? [[translate('Packages ({0})', manager), names.map(describeValue).join(', ')]] : [],
    ),
    [translate('Scope'), environment.scope ?? ''],
  ];
}

function templatesOf(translate: Translate): readonly Template[] {
  const cloud = (networking: Definition, packages?: Definition) => ({ type: 'cloud', networking, ...(packages && { packages }) });
  return [
    template(translate('Open Network'), translate('All hosts'), {
      name: 'Open',
      description: 'All hosts',
      config: cloud({ type: 'unrestricted' }),
    }),
    template(translate('Locked Down'), translate('Only hosts you list'), {
      name: 'Locked down',
      description: 'Sessions reach only the hosts that are named here',
      config: cloud({ type: 'limited', allowed_hosts: ['api.example.com'], allow_mcp_servers: false, allow_package_managers: false }),
    }),
    template(translate('Python and Node.js Packages'), translate('Installs packages, with no other network access'), {
      name: 'Packages',
      description: 'Packages are installed before a session begins',
      config: cloud(
        { type: 'limited', allowed_hosts: [], allow_mcp_servers: false, allow_package_managers: true },
        { pip: ['pandas'], npm: ['typescript'] },
      ),
    }),
    template(translate('Self-Hosted'), translate('Sessions run on your own machines'), {
      name: 'Our machines',
      description: 'Sessions run on our own machines',
      config: { type: 'self_hosted' },
    }),
  ];
}

/**
 * Sessions that use an environment. The service has no filter for them, so all sessions that are not archived are searched page by page.
 */
export const environmentSessions: ResourceKind<Session> = defineKind({
  kind: 'session',
  icon: 'comment-discussion',
  title: translate => translate('Sessions'),
  calls: ({ sessions }, parent) => ({
    retrieve: sessions.retrieve,
    list: async options => {
      const page = await sessions.list({ ...options, limit: 100, order: 'desc' });
      return { ...page, items: page.items.filter(({ environment_id: id, archived_at: time }) => id === parent?.id && !time) };
    },
  }),
  ability: 'hasSession',
  name: ({ id, title }) => nameOrId(title, id),
  // An idle session can be done, have failed, or need the user. Only the Sessions view shows which.
  row: ({ status }) => ({ words: [status === 'idle' ? '' : toLabel(status ?? '', 40)] }),
  facts: (session, { translate }) => [
    [translate('Status'), session.status ?? ''],
    [translate('Agent'), session.agent?.name ?? ''],
  ],
  session: ({ id }) => id,
});
