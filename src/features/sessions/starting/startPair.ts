import type { SessionParams } from '../../../client/schemas/sessionParams';
import type { Session } from '../../../client/schemas/sessions';
import type { Sessions } from '../../../client/serviceClient';

/** Common parameters of both sessions. */
export interface PairParams {
  readonly agentId: string;
  readonly environmentId: string | undefined;
  readonly titleOf: (version: number) => string;
}

/** Result of starting two sessions. `problem` says why there are not two sessions of the requested versions. */
export interface StartedPair {
  readonly sessions: readonly Session[];
  readonly problem?: { readonly version: number; readonly error?: unknown; readonly got?: number };
}

/**
 * Starts one session for each of two versions of an agent, one after the other. Never repeats a request. Stops if a start fails or the
 * session has another version than requested: there is then nothing to compare, and no message may be sent.
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
