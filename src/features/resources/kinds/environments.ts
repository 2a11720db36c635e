import type { Environment } from '../../../client/schemas/environments';
import { describeSince, nameOrId, type PresentationContext, toRow } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { isRecord } from '../../../shared/isRecord';
import { describeValue, toLabel } from '../../../shared/text';
import type { Definition } from '../definitions';
import type { Act, DefinitionTexts, Fact, KindDefinition, ResourceKind, Template } from '../resourceKind';
import { archivableCalls } from '../resourceKind';
import { dependentsOf } from './dependents';
import { environmentSessions } from './environmentSessions';
import { recordFacts } from './recordFacts';
import { work } from './work';

/** Sandbox environments that sessions run in (API facts, section 11). */
export const environments: ResourceKind<Environment> = {
  kind: 'environment',
  icon: 'server-environment',
  hasArchived: true,
  texts: translate => ({
    title: translate('Environments'),
    choose: translate('Select an environment'),
    empty: translate('No environments yet'),
  }),
  calls: ({ environments: calls }) => archivableCalls(calls),
  name: nameOf,
  row: (environment, context) => {
    const { translate } = context;
    const label = nameOf(environment);
    const isArchived = typeof environment.archived_at === 'string';
    const state = isArchived ? translate('archived') : '';
    const reach = describeReach(environment, translate);
    const age = describeSince(environment.updated_at ?? environment.created_at, context);
    const abilities = ['resource', 'environment', 'deletable', ...(isArchived ? [] : ['editable', 'archivable'])];
    return toRow(label, [state, reach, age], {
      icon: isArchived ? 'archive' : isSelfHosted(environment) ? 'vm' : 'server-environment',
      color: isArchived ? 'disabledForeground' : undefined,
      abilities,
    });
  },
  facts: factsOf,
  get definition() {
    return definition;
  },
  usedBy: (client, { id }, signal) =>
    dependentsOf(client, { session: one => one.environment_id === id, deployment: one => one.environment_id === id }, signal),
  get acts() {
    return { archive, delete: remove };
  },
  children: environment => (isSelfHosted(environment) ? [environmentSessions, work] : [environmentSessions]),
};

const archive: Act = {
  confirm: (name, translate) => ({
    title: translate('Archive the environment {0}?', name),
    detail: translate('No session can be started in an archived environment; those that run go on. It cannot be brought back.'),
    button: translate('Archive Environment'),
  }),
  tellsUses: true,
  run: async ({ environments: calls }, { id }) => (await calls.archive(id)).data,
};

const remove: Act = {
  confirm: (name, translate) => ({
    title: translate('Delete the environment {0} from the service?', name),
    detail: translate('This cannot be undone. A service refuses it while sessions that are not archived use the environment.'),
    button: translate('Delete Environment'),
  }),
  tellsUses: true,
  run: ({ environments: calls }, { id }) => calls.delete(id),
};

const definition: KindDefinition<Environment> = {
  ending: 'environment',
  service: new Set(['id', 'type', 'created_at', 'updated_at', 'archived_at', 'state']),
  order: ['name', 'description', 'config', 'scope', 'metadata'],
  required: ['name'],
  questions: textsOf,
  templates: templatesOf,
  // The service returns an omitted description as an empty text, which updates don't need.
  read: ({ description, ...rest }) => (description ? { description, ...rest } : rest),
  problem: (wanted, before, translate) => {
    const [now, then] = [typeOf(wanted.config), typeOf(before?.config)];
    return then !== undefined && now !== then
      ? translate('The type of an environment never changes: this one is "{0}". Create another environment for "{1}".', then, now ?? '?')
      : undefined;
  },
};

function nameOf({ id, name }: Environment): string {
  return nameOrId(name, id);
}

function isSelfHosted({ config }: Environment): boolean {
  return config?.type === 'self_hosted';
}

function typeOf(config: unknown): string | undefined {
  return isRecord(config) && typeof config.type === 'string' ? config.type : undefined;
}

/** Describes briefly the network access of sessions in the environment. */
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

function factsOf(environment: Environment, context: PresentationContext): readonly Fact[] {
  const { translate } = context;
  const { networking, packages } = environment.config ?? {};
  const flag = (value: boolean | null | undefined) =>
    value === true ? translate('allowed') : value === false ? translate('not allowed') : '';
  const limited = networking?.type === 'limited';
  return [
    [translate('Description'), environment.description ?? ''],
    [translate('Type'), isSelfHosted(environment) ? translate('self-hosted: your own machines') : (environment.config?.type ?? '')],
    [translate('Network'), describeReach(environment, translate)],
    [translate('Allowed hosts'), limited ? (networking?.allowed_hosts ?? []).join(', ') : ''],
    [translate('MCP servers'), limited ? flag(networking?.allow_mcp_servers) : ''],
    [translate('Package managers'), limited ? flag(networking?.allow_package_managers) : ''],
    ...Object.entries(packages ?? {}).flatMap(([manager, names]): readonly Fact[] =>
      Array.isArray(names) && names.length > 0 ? [[translate('Packages ({0})', manager), names.map(describeValue).join(', ')]] : [],
    ),
    [translate('Scope'), environment.scope ?? ''],
    ...recordFacts(environment, context),
  ];
}

function textsOf(translate: Translate): DefinitionTexts {
  return {
    create: (name, connection) => translate('Create the environment {0} on {1}?', name, connection),
    createButton: translate('Create Environment'),
    createDetail: translate('Sessions can be started in it at once. Its type never changes.'),
    publishDetail: (changed, connection) =>
      translate('Changes {0} on {1}. Sessions that run keep what they began with.', changed, connection),
  };
}

function templatesOf(translate: Translate): readonly Template[] {
  const cloud = (networking: Definition, packages?: Definition) => ({ type: 'cloud', networking, ...(packages && { packages }) });
  return [
    {
      label: translate('Open Network'),
      description: translate('Sessions reach every host'),
      definition: { name: 'Open', description: 'Sessions reach every host', config: cloud({ type: 'unrestricted' }) },
    },
    {
      label: translate('Locked Down'),
      description: translate('Sessions reach no host but those you name'),
      definition: {
        name: 'Locked down',
        description: 'Sessions reach only the hosts that are named here',
        config: cloud({ type: 'limited', allowed_hosts: ['api.example.com'], allow_mcp_servers: false, allow_package_managers: false }),
      },
    },
    {
      label: translate('Python and Node.js Packages'),
      description: translate('Packages are installed before a session begins; no other host is reached'),
      definition: {
        name: 'Packages',
        description: 'Packages are installed before a session begins',
        config: cloud(
          { type: 'limited', allowed_hosts: [], allow_mcp_servers: false, allow_package_managers: true },
          { pip: ['pandas'], npm: ['typescript'] },
        ),
      },
    },
    {
      label: translate('Self-Hosted'),
      description: translate('Sessions run on your own machines, which fetch their work from a queue'),
      definition: { name: 'Our machines', description: 'Sessions run on our own machines', config: { type: 'self_hosted' } },
    },
  ];
}
