import type { DeploymentRun } from '../../../client/resources/deployments';
import { describeMoment, describeSince, join, shortId } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import type { ResourceKind } from '../resourceKind';
import { defineKind, wordOf } from './defineKind';
import { describeRunError } from './deploymentWords';

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
  return wordOf({ schedule: translate('Scheduled'), manual: translate('manually') }, trigger?.type) || translate('Run');
}
