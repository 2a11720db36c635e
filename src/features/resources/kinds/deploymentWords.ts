import type { Deployment } from '../../../client/resources/deployments';
import { describeAge, join, type PresentationContext } from '../../../common/text/presentation';
import type { Translate } from '../../../common/text/translate';
import { numberFormat } from '../../../shared/formats';
import { parseCron } from '../../../shared/schedule/cronExpression';
import { toLabel } from '../../../shared/text';
import { describeCron } from './cronWords';

/** State of a deployment. `pausedByError`: the service paused it. `other`: a state that the extension does not know. */
export type DeploymentState = 'active' | 'pausedByYou' | 'pausedByError' | 'archived' | 'other';

/** Returns the state. An archived deployment is `archived`, whatever its `status` says. */
export function stateOf({ status, paused_reason: reason, archived_at: archived }: Deployment): DeploymentState {
  if (typeof archived === 'string') {
    return 'archived';
  }
  if (status === 'paused') {
    return reason?.type === 'error' ? 'pausedByError' : 'pausedByYou';
  }
  return status === 'active' || !status ? 'active' : 'other';
}

/** Describes the state, with the reason if the service paused the deployment. */
export function describeState(deployment: Deployment, translate: Translate): string {
  switch (stateOf(deployment)) {
    case 'active':
      return translate('active');
    case 'pausedByYou':
      return deployment.paused_reason?.type === 'manual' || !deployment.paused_reason?.type
        ? translate('paused')
        : translate('paused: {0}', toLabel(deployment.paused_reason.type, 40));
    case 'pausedByError':
      // Short: rows are truncated, and their icon already signals an error.
      return translate('paused: {0}', describeRunError(deployment.paused_reason?.error, translate));
    case 'archived':
      return translate('archived');
    case 'other':
      return toLabel(deployment.status ?? '', 40);
  }
}

/** Describes a schedule, or returns it verbatim if it can't be described. Without a schedule, says that sessions are started by hand. */
export function describeClock({ schedule }: Deployment, context: PresentationContext): string {
  const { translate } = context;
  if (!schedule) {
    return translate('manually');
  }
  const parsed = parseCron(schedule.expression ?? '');
  const words = 'fields' in parsed ? describeCron(parsed.fields, context) : toLabel(schedule.expression ?? '', 60);
  return join(' · ', words, toLabel(schedule.timezone ?? '', 40));
}

/** Describes the time of the next scheduled session. Returns '' if the schedule is paused or absent. */
export function describeNext(deployment: Deployment, context: PresentationContext): string {
  const upcoming = (deployment.schedule?.upcoming_runs_at ?? []).map(time => Date.parse(time)).filter(time => time > context.now);
  return stateOf(deployment) !== 'active' || upcoming.length === 0
    ? ''
    : context.translate('next {0}', describeAge(new Date(Math.min(...upcoming)).toISOString(), context));
}

/** Describes briefly why no session could be created. Returns the service's own words for an unknown error. */
export function describeRunError(
  error: { readonly type?: string | null | undefined; readonly message?: string | null | undefined } | null | undefined,
  translate: Translate,
): string {
  const known = knownError(error?.type ?? '', translate);
  return known ?? (toLabel(error?.message ?? '', 200) || toLabel(error?.type ?? '', 60) || translate('unknown error'));
}

function knownError(type: string, translate: Translate): string | undefined {
  const words: Readonly<Record<string, string>> = {
    environment_archived_error: translate('{0} archived', translate('Environment')),
    environment_not_found_error: translate('{0} not found', translate('Environment')),
    agent_archived_error: translate('{0} archived', translate('Agent')),
    vault_not_found_error: translate('{0} not found', translate('Vault')),
    vault_archived_error: translate('{0} archived', translate('Vault')),
    file_not_found_error: translate('{0} not found', translate('File')),
    memory_store_archived_error: translate('{0} archived', translate('memory store')),
    skill_not_found_error: translate('{0} not found', translate('Skill')),
    session_resource_not_found_error: translate('{0} not found', translate('Resource')),
    workspace_archived_error: translate('{0} archived', translate('Workspace')),
    organization_disabled_error: translate('the organization is disabled'),
    self_hosted_resources_unsupported_error: translate("its resources can't be used in a self-hosted environment"),
    mcp_egress_blocked_error: translate('the network of the environment blocks an MCP server'),
    session_rate_limited_error: translate('too many sessions at that time'),
  };
  return Object.hasOwn(words, type) ? words[type] : undefined;
}

/** Formats whole cents as money. Returns them as they are if the currency is unknown. */
export function describeMoney(cents: string, currency: string, locale: string): string {
  try {
    return numberFormat(locale, { style: 'currency', currency }).format(Number(cents) / 100);
  } catch {
    return `${cents} ${currency}`;
  }
}
