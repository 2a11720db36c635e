import type { Deployment, DeploymentRun } from '../../../client/resources/deployments';
import {
  describeMoment,
  describeSince,
  describeTime,
  nameOrId,
  type PresentationContext,
  shortId,
} from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { numberFormat } from '../../../shared/formats';
import { join } from '../../../shared/text';
import type { Fact, ResourceKind } from '../resourceKind';
import { defineKind, wordOf } from './defineKind';
import { deploymentDefinition } from './deploymentDefinition';
import {
  type DeploymentState,
  describeClock,
  describeMoney,
  describeNext,
  describeRunError,
  describeState,
  stateOf,
} from './deploymentWords';

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
    archive: { detail: translate => translate("It starts no more sessions. This can't be undone.") },
    pause: {
      detail: translate =>
        translate("Its schedule starts no sessions until you resume it, and missed runs aren't repeated. You can still run it manually."),
      run: async ({ deployments: calls }, { id }) => (await calls.pause(id)).data,
    },
    unpause: {
      detail: (translate, current) =>
        join(
          ' ',
          translate('The deployment starts sessions on its schedule. Each costs money.'),
          stateOf(current as Deployment) === 'pausedByError' ? translate('It was paused by an error. Fix the error first.') : '',
        ),
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

/** Runs of a deployment. Each run created a session or contains the reason for its failure (API facts, section 14). */
export const deploymentRuns: ResourceKind<DeploymentRun> = defineKind({
  kind: 'deploymentRun',
  icon: 'history',
  title: translate => translate('Runs'),
  calls: ({ deployments: { runs } }, parent) => ({
    retrieve: runs.retrieve,
    list: async options => runs.list({ ...options, ...(parent === undefined ? {} : { deploymentId: parent.id }) }),
  }),
  name: ({ id }) => shortId(id),
  row: (run, context) => {
    const { translate } = context;
    const age = describeSince(run.created_at, context);
    const session = run.session_id ? translate('session {0}', shortId(run.session_id)) : '';
    const error = run.error ? describeRunError(run.error, translate) : '';
    return {
      label: describeTrigger(run, translate),
      words: [age, error, session],
      spoken: [age, error === '' ? '' : translate('failed: {0}', error), session],
      icon: run.error ? 'error' : run.session_id ? 'comment-discussion' : 'question',
      color: run.error ? 'list.errorForeground' : undefined,
      abilities: run.session_id ? ['hasSession'] : [],
    };
  },
  time: () => undefined,
  facts: (run, context) => {
    const { translate } = context;
    const { error, agent, trigger_context: trigger } = run;
    const version = typeof agent?.version === 'number' ? translate('version {0}', agent.version) : '';
    return [
      [translate('Started'), describeTrigger(run, translate)],
      [translate('Scheduled for'), describeMoment(trigger?.scheduled_at, context)],
      [translate('Session'), run.session_id ?? ''],
      [translate('Error'), error ? describeRunError(error, translate) : ''],
      [translate('Message'), error ? join(': ', error.type ?? '', error.message ?? '') : ''],
      [translate('Agent'), join(', ', agent?.id ?? '', version)],
    ];
  },
  session: ({ session_id: id }) => id ?? undefined,
});

function describeTrigger({ trigger_context: trigger }: DeploymentRun, translate: Translate): string {
  return wordOf({ schedule: translate('Scheduled'), manual: translate('Manual') }, trigger?.type) || translate('Run');
}
