import { ApiError } from '../http/apiError';
import { readDeploymentEvents } from '../sessions/sentEvents';
import { type SessionStart, startSession } from '../sessions/startSession';
import type { DeploymentRecord, RunRecord } from './deploymentRecord';

/** Makes a session of a deployment as it stands now; answers the session, or why there is none. */
export async function startSessionOf(record: DeploymentRecord, parts: SessionStart): Promise<Pick<RunRecord, 'sessionId' | 'error'>> {
  const missing = findMissing(record, parts);
  if (missing !== undefined) {
    return { sessionId: null, error: missing };
  }
  const params = {
    agent: record.agent,
    environment_id: record.environmentId,
    vault_ids: record.vaultIds,
    budget: record.budget,
    // A copy: later changes of the deployment reach no session that is there already. Tokens are not kept.
    resources: record.resources.map(config => ('url' in config ? { ...config, authorization_token: 'kept' } : config)),
  };
  try {
    const session = await startSession(params, readDeploymentEvents(record.initialEvents), parts, record.id);
    return { sessionId: session.id, error: null };
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    return { sessionId: null, error: { type: 'session_creation_rejected_error', message: error.message } };
  }
}

/** What no session can be made without and is no longer there. */
function findMissing(
  { environmentId, resources }: DeploymentRecord,
  { environments, files }: SessionStart,
): RunRecord['error'] | undefined {
  const environment = environments.list().find(({ id }) => id === environmentId);
  if (environment === undefined) {
    return { type: 'environment_not_found_error', message: `Environment not found: ${environmentId}` };
  }
  if (environment.archivedAt !== null) {
    return { type: 'environment_archived_error', message: `Environment is archived: ${environmentId}` };
  }
  const gone = resources.find(({ file_id: file }) => typeof file === 'string' && !files.has(file));
  return gone && { type: 'file_not_found_error', message: `File not found: ${String(gone.file_id)}` };
}
