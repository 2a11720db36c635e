import type { Deployment } from '../../../client/resources/deployments';
import { describeMoment, describeTime, join, nameOrId, type PresentationContext } from '../../../common/text/presentation';
import { numberFormat } from '../../../shared/formats';
import type { Fact, ResourceKind } from '../resourceKind';
import { archiving, defineKind } from './defineKind';
import { deploymentDefinition } from './deploymentDefinition';
import { deploymentRuns } from './deploymentRuns';
import { type DeploymentState, describeClock, describeMoney, describeNext, describeState, stateOf } from './deploymentWords';

/** Deployments, which create sessions on a schedule or by hand (API facts, section 14). */
export const deployments: ResourceKind<Deployment> = defineKind({
  kind: 'deployment',
  icon: 'rocket',
  hasArchived: true,
  title: translate => translate('Deployments'),
  calls: ({ deployments: calls }) => calls,
  name: ({ id, name }) => nameOrId(name, id),
  row: (deployment, context) => {
    const state = stateOf(deployment);
    const isPaused = state === 'pausedByYou' || state === 'pausedByError';
    return {
      words: [
        state === 'archived' ? '' : describeState(deployment, context.translate),
        describeNext(deployment, context),
        describeClock(deployment, context),
      ],
      ...rowIcons[state],
      ...(state === 'active' && deployment.schedule && { icon: 'calendar' }),
      whileActive: ['editable', 'archivable', 'runnable', isPaused ? 'unpausable' : 'pausable'],
    };
  },
  time: () => undefined,
  facts: factsOf,
  definition: deploymentDefinition,
  acts: {
    archive: archiving(translate => translate("It starts no more sessions. This can't be undone.")),
    pause: {
      confirm: (name, translate) => ({
        title: translate('Pause "{0}"?', name),
        detail: translate(
          "Its schedule starts no sessions until you resume it, and missed runs aren't repeated. You can still run it manually.",
        ),
        button: translate('Pause'),
      }),
      run: async ({ deployments: calls }, { id }) => (await calls.pause(id)).data,
    },
    unpause: {
      confirm: (name, translate, current) => ({
        title: translate('Resume "{0}"?', name),
        detail: join(
          ' ',
          translate('The deployment starts sessions on its schedule. Each costs money.'),
          stateOf(current as Deployment) === 'pausedByError' ? translate('It was paused by an error. Fix the error first.') : '',
        ),
        button: translate('Resume'),
      }),
      run: async ({ deployments: calls }, { id }) => (await calls.unpause(id)).data,
    },
  },
  children: () => [deploymentRuns],
});

const rowIcons: Partial<Record<DeploymentState, { readonly icon: string; readonly color?: string }>> = {
  pausedByError: { icon: 'error', color: 'list.errorForeground' },
  pausedByYou: { icon: 'debug-pause', color: 'disabledForeground' },
  other: { icon: 'question' },
};

function factsOf(deployment: Deployment, context: PresentationContext): readonly Fact[] {
  const { translate, locale } = context;
  const { agent, schedule, budget, resources, initial_events: events } = deployment;
  const count = (list: readonly unknown[] | null | undefined) => (list?.length ? numberFormat(locale).format(list.length) : '');
  const version = typeof agent?.version === 'number' ? translate('version {0}', agent.version) : '';
  const { amount, currency } = budget?.max_list_cost ?? {};
  return [
    [translate('Description'), deployment.description ?? ''],
    [translate('State'), describeState(deployment, translate)],
    [translate('Schedule'), describeClock(deployment, context)],
    [translate('Expression'), schedule?.expression ?? ''],
    [translate('Next runs'), (schedule?.upcoming_runs_at ?? []).map(at => describeTime(at, context)).join('; ')],
    [translate('Last scheduled run'), describeMoment(schedule?.last_run_at, context)],
    [translate('Agent'), join(', ', agent?.id ?? '', version)],
    [translate('Environment'), deployment.environment_id ?? ''],
    [translate('Vaults'), (deployment.vault_ids ?? []).join(', ')],
    [translate('Resources'), count(resources)],
    [translate('First events'), count(events)],
    [translate('Budget per session'), amount === undefined ? '' : describeMoney(amount, currency ?? 'USD', locale)],
  ];
}
