import type { Environment, WorkItem, WorkQueueStats } from '../../../client/resources/environments';
import type { Session } from '../../../client/resources/sessions';
import { describeMoment, describeSince, nameOrId, type PresentationContext, shortId } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { isRecord, ownValue } from '../../../shared/isRecord';
import { describeValue, join, toLabel } from '../../../shared/text';
import type { Definition } from '../definitions/definitionText';
import type { Fact, GroupRow, KindDefinition, Resource, ResourceKind, Template } from '../resourceKind';
import { defineKind, template } from './defineKind';
import { dependentsOf } from './dependents';

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
    archive: { detail: translate => translate("It starts no more sessions. This can't be undone.") },
    delete: { detail: translate => translate("This can't be undone. An environment that sessions use can't be deleted.") },
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
 * Sessions that use an environment. The service can't filter sessions by environment, so all sessions that are not archived are searched
 * page by page.
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

/** Queue of a self-hosted environment. Contains work that waits for the user's machines or runs on them (API facts, section 11). */
export const work: ResourceKind<WorkItem> = defineKind({
  kind: 'work',
  icon: 'tasklist',
  title: translate => translate('Work Queue'),
  calls: ({ environments }, parent) => environments.work(parent?.id ?? ''),
  name: ({ id, data }) => shortId(data?.id ?? id),
  row: (item, { translate }) => ({
    ...stateOf(item.state, translate),
    words: [item.data?.id ? translate('session {0}', shortId(item.data.id)) : ''],
    abilities: [...(item.data?.id ? ['hasSession'] : []), ...(item.state === 'stopped' ? [] : ['stoppable'])],
  }),
  time: item => item.stopped_at ?? item.stop_requested_at ?? item.started_at ?? item.acknowledged_at ?? item.created_at,
  facts: (item, context) => {
    const { translate } = context;
    return [
      [translate('State'), stateOf(item.state, translate).label],
      [translate('Session'), item.data?.id ?? ''],
      [translate('Running'), describeMoment(item.acknowledged_at, context)],
      [translate('Started'), describeMoment(item.started_at, context)],
      [translate('Last heartbeat'), describeMoment(item.latest_heartbeat_at, context)],
      [translate('Stop requested'), describeMoment(item.stop_requested_at, context)],
      [translate('Stopped'), describeMoment(item.stopped_at, context)],
    ];
  },
  acts: {
    /** Asks the worker to end the work. Forces the end of work that is already stopping. */
    stop: {
      detail: translate => translate('Asks the worker to stop. To force it, stop it again.'),
      question: (name, translate, current) =>
        isStopping(current)
          ? {
              title: translate('Force "{0}" to stop?', name),
              detail: translate('The work done so far may be lost.'),
              button: translate('Force Stop'),
            }
          : undefined,
      run: async ({ environments }, { id, parent }, current) =>
        (await environments.work(parent?.id ?? '').stop(id, isStopping(current) ? { force: true } : {})).data,
    },
  },
  session: ({ data }) => (data?.type === 'session' || !data?.type ? (data?.id ?? undefined) : undefined),
  summary: async ({ environments }, parent, signal) => {
    const { data } = await environments.work(parent?.id ?? '').stats({ signal });
    return context => presentQueue(data, context);
  },
});

/** Describes the queue briefly. Waiting work without an active worker is a warning. */
export function presentQueue(stats: WorkQueueStats, context: PresentationContext): GroupRow {
  const { translate } = context;
  const depth = stats.depth ?? 0;
  const pending = stats.pending ?? 0;
  const polling = stats.workers_polling;
  const oldest =
    depth + pending > 0 && stats.oldest_queued_at ? translate('oldest {0}', describeSince(stats.oldest_queued_at, context)) : '';
  const waiting = depth === 0 ? translate('nothing queued') : translate('{0} queued', depth);
  const handed = pending === 0 ? '' : translate('{0} running', pending);
  const workers = typeof polling !== 'number' ? '' : polling === 0 ? translate('no workers') : translate('workers: {0}', polling);
  const isStuck = depth > 0 && polling === 0;
  // Problems come first, because the rest may be truncated.
  const description = isStuck ? join(' · ', workers, waiting, oldest, handed) : join(' · ', waiting, workers, oldest, handed);
  return isStuck
    ? {
        description,
        icon: 'warning',
        color: 'list.warningForeground',
        spoken: `${description}. ${translate('Work is queued, but no worker is running. Start a worker for this environment.')}`,
      }
    : { description, spoken: description };
}

function stateOf(state: string | null | undefined, translate: Translate) {
  const states: Readonly<Record<string, readonly [label: string, icon: string, color?: string]>> = {
    queued: [translate('Waiting'), 'clock'],
    starting: [translate('Starting'), 'loading~spin'],
    active: [translate('Active'), 'play-circle', 'charts.green'],
    stopping: [translate('Stopping'), 'loading~spin'],
    stopped: [translate('Stopped'), 'circle-slash', 'disabledForeground'],
  };
  const [label, icon, color] = ownValue(states, state ?? '') ?? [toLabel(state ?? '', 40) || translate('Unknown'), 'question'];
  return { label, icon, color };
}

function isStopping(item: Resource): boolean {
  return (item as WorkItem).state === 'stopping';
}
