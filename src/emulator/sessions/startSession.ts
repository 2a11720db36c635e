import type { Dialect } from '../../client/dialect';
import type { AgentState } from '../agents/agentState';
import type { EmulatorClock } from '../emulatorClock';
import type { EnvironmentState } from '../environments/environmentState';
import type { WorkState } from '../environments/work';
import type { FileState } from '../files/fileRecords';
import type { ServerStyle } from '../http/serverStyle';
import { type CreateSessionParams, createSessionRecord } from './newSessionRecord';
import type { SentEvent } from './sentEvents';
import type { SessionRecord } from './sessionRecord';
import type { SessionReferences } from './sessionResources';
import type { SessionState } from './sessionState';

/** State and settings that a new session needs. */
export interface SessionStart {
  readonly sessions: SessionState;
  readonly agents: AgentState;
  readonly environments: EnvironmentState;
  readonly files: FileState;
  readonly references: SessionReferences;
  readonly style: () => ServerStyle;
  readonly work: WorkState;
  readonly clock: EmulatorClock;
  readonly dialect: Dialect;
}

/** Creates a session, which processes its initial events immediately. Throws a 400 or 404 that names the problem. */
export async function startSession(
  params: CreateSessionParams,
  events: readonly SentEvent[],
  parts: SessionStart,
  deploymentId: string | null = null,
): Promise<SessionRecord> {
  const { sessions, clock, work } = parts;
  const record = { ...createSessionRecord(params, { ...parts, now: clock.now(), sequence: sessions.nextSequence() }), deploymentId };
  const session = sessions.add(record);
  if (record.isSelfHosted) {
    work.add(record.environmentId, record.id);
  }
  if (events.length > 0) {
    session.send(events);
    // The session runs immediately, and the response has to show that (API facts, section 7).
    await null;
  }
  return record;
}
