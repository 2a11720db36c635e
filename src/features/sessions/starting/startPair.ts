import type { SessionParams } from '../../../client/schemas/sessionParams';
import type { Session } from '../../../client/schemas/sessions';
import type { Sessions } from '../../../client/serviceClient';

/** What the two sessions have in common. */
export interface PairParams {
  readonly agentId: string;
  readonly environmentId: string | undefined;
  readonly titleOf: (version: number) => string;
}

/** What became of two sessions that were to be started; `problem` is why there are not two of the versions that were asked for. */
export interface StartedPair {
  readonly sessions: readonly Session[];
  readonly problem?: { readonly version: number; readonly error?: unknown; readonly got?: number };
}

/**
 * Starts a session for each of two versions of an agent, one after the other, each once. It stops at the first that fails, or has another version
 * than was asked for: then there is nothing to compare, and nothing is to be sent.
 */
export async function startPair(
  sessions: Pick<Sessions, 'create'>,
  { agentId, environmentId, titleOf }: PairParams,
  versions: readonly [number, number],
  signal: AbortSignal,
): Promise<StartedPair> {
  const started: Session[] = [];
  for (const version of versions) {
    const params: SessionParams = {
      agent: { type: 'agent', id: agentId, version },
      ...(environmentId === undefined ? {} : { environment_id: environmentId }),
      title: titleOf(version),
    };
    try {
      const { data } = await sessions.create(params, { signal });
      started.push(data);
      const got = data.agent?.version ?? version;
      if (got !== version) {
        return { sessions: started, problem: { version, got } };
      }
    } catch (error) {
      return { sessions: started, problem: { version, error } };
    }
  }
  return { sessions: started };
}
