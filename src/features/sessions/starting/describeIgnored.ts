import type { Session } from '../../../client/schemas/sessions';
import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';
import { centsOf } from '../attaching/budgetAmount';
import type { SessionStartParams } from './sessionStart';

/**
 * What a session has not as it was asked for, each in a sentence: services ignore what they do not know. What the service does not tell of
 * is not known and not complained of, but for a budget: without one a session can spend without an end.
 */
export function describeIgnored(
  session: Session,
  { resources = [], vaultIds = [], budget, overrides = {} }: Pick<SessionStartParams, 'resources' | 'vaultIds' | 'budget' | 'overrides'>,
  t: Translate,
): readonly string[] {
  const { agent, resources: mounted, vault_ids: vaults } = session;
  const model = typeof agent?.model === 'string' ? agent.model : agent?.model?.id;
  const isMounted = (wanted: (typeof resources)[number]) =>
    (mounted ?? []).some(({ url, memory_store_id: store }) =>
      'url' in wanted ? url === wanted.url : 'memory_store_id' in wanted && store === wanted.memory_store_id,
    );
  const missing = mounted == null ? [] : resources.filter(wanted => !isMounted(wanted));
  const missingVaults = vaults == null ? [] : vaultIds.filter(id => !vaults.includes(id));
  return [
    ...(budget !== undefined && centsOf(session.budget?.max_list_cost) !== centsOf(budget.max_list_cost)
      ? [t('The service shows no such budget for this session: nothing may stop it from spending more.')]
      : []),
    ...(overrides.model !== undefined && model !== undefined && model !== overrides.model
      ? [t('The service ignored the model {0}: the session runs {1}.', toLabel(String(overrides.model), 60), toLabel(model, 60))]
      : []),
    ...(overrides.system !== undefined && agent?.system !== undefined && (agent.system || null) !== (overrides.system || null)
      ? [t('The service ignored the system prompt: the session has the one of the agent.')]
      : []),
    ...(missing.length > 0
      ? [t('Repositories and memory stores that the session shows: {0} of {1}.', resources.length - missing.length, resources.length)]
      : []),
    ...(missingVaults.length > 0
      ? [t('Vaults that the session shows: {0} of {1}.', vaultIds.length - missingVaults.length, vaultIds.length)]
      : []),
  ];
}
