import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { listAll } from '../../../client/transport/pagination';
import type { Translate } from '../../../common/text/translate';
import { toLabel } from '../../../shared/text';
import type { SessionTest } from './sessionTest';

/** Agent to run a test with, and a note if its ID differs from the recorded one. Otherwise the reason why there is none. */
export type FoundAgent = { readonly id: string; readonly note?: string } | { readonly problem: string };

/**
 * Finds the agent of a test on a service by its ID, then by its name and version. Ignores errors other than "not found": the run reports
 * them.
 */
export async function agentOfTest(
  { agents }: Pick<ServiceClient, 'agents'>,
  { agent, connection }: Pick<SessionTest, 'agent' | 'connection'>,
  here: { readonly name: string; readonly isEmulator: boolean },
  signal: AbortSignal,
  t: Translate,
): Promise<FoundAgent> {
  const found = await agents.retrieve(agent.id, { signal }).catch(error => error as unknown);
  if (!(found instanceof ServiceError && found.kind === 'not_found')) {
    return { id: agent.id };
  }
  const [name, id] = [toLabel(agent.name ?? '', 80), toLabel(agent.id, 80)];
  const alike: string[] = [];
  if (agent.name !== undefined) {
    for await (const other of listAll(options => agents.list(options), { limit: 100, signal })) {
      const hasVersion = agent.version === 'latest' || (typeof other.version === 'number' && other.version >= agent.version);
      if (other.name === agent.name && hasVersion) {
        alike.push(other.id);
      }
    }
  }
  const [only, ...others] = alike;
  if (only !== undefined && others.length === 0) {
    return {
      id: only,
      note: t('{0} has no agent {1}. Using {2} ({3}).', here.name, id, toLabel(only, 80), name),
    };
  }
  const recorded = connection === undefined || connection === here.name ? '' : t('It was recorded on {0}.', toLabel(connection, 80));
  const why = here.isEmulator
    ? t('The emulator has no agent {0}. Run the test on another connection.', name || id)
    : t('{0} has no agent {1}.', here.name, id);
  return { problem: [why, recorded].filter(sentence => sentence !== '').join(' ') };
}
