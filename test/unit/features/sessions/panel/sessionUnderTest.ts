import type { SessionEvent } from '../../../../../src/client/events/eventLog';
import { type RequestOutcome, ServiceError, type ServiceErrorKind } from '../../../../../src/client/transport/errors';
import { LiveSession } from '../../../../../src/features/sessions/live/liveSession';
import type { SourceChange } from '../../../../../src/features/sessions/live/panelSource';
import { SessionAccess } from '../../../../../src/features/sessions/live/sessionAccess';
import { fillPlaceholders } from '../../requests/fillPlaceholders';
import { FakeSessions, FakeTime, FakeWatch } from './fakeService';

export const reference = { connection: 'Lab', sessionId: 'sesn_1' };

/** Creates a session with a fake service and watches. `rows` returns the rows at the last change, as a webview has them. */
export function createSessionUnderTest() {
  const service = new FakeSessions();
  const time = new FakeTime();
  const watches: FakeWatch[] = [];
  const surroundings = { isTrusted: true, isKnown: true, isEmulator: false, emulatorRuns: true, isStarting: false, starts: 0 };
  const connection = {
    name: 'Lab',
    baseUrl: 'http://127.0.0.1:1',
    auth: 'x-api-key',
    dialect: 'contract',
    extraBetas: [],
    limits: { maxRequests: 1, maxBytes: 1 },
    allowInsecureHttp: false,
  } as const;
  const access = new SessionAccess({
    reference,
    connections: {
      find: () => (surroundings.isKnown ? { ...connection, isEmulator: surroundings.isEmulator } : undefined),
    },
    reach: async () => {
      if (surroundings.isEmulator && !surroundings.emulatorRuns) {
        surroundings.starts++;
        surroundings.emulatorRuns = true;
      }
      return { sessions: service.api, vaults: service.vaults };
    },
    emulator: {
      get running() {
        return surroundings.emulatorRuns ? { url: 'http://127.0.0.1:1', key: 'k' } : undefined;
      },
      get isStarting() {
        return surroundings.isStarting;
      },
    },
    isTrusted: () => surroundings.isTrusted,
    t: fillPlaceholders,
  });
  const warnings: string[] = [];
  const session = new LiveSession({
    reference,
    name: () => 'Lab (127.0.0.1:1)',
    access,
    watch: (log, options) => {
      const watch = new FakeWatch(log, options);
      watches.push(watch);
      return watch;
    },
    previews: () => ['agent.message'],
    canWrite: () => surroundings.isTrusted,
    t: fillPlaceholders,
    warn: message => warnings.push(message),
    timers: time,
    now: () => time.now,
  });
  const changes: SourceChange[] = [];
  const shown = new Map<string, readonly string[]>();
  session.onDidChange(change => {
    changes.push(change);
    if (change.type === 'rows') {
      shown.set(change.thread, session.transcript(change.thread)?.rows.map(({ key }) => key) ?? []);
    }
  });
  return {
    service,
    time,
    watches,
    surroundings,
    access,
    session,
    changes,
    warnings,
    /** Returns the keys of the rows at the last change. */
    rows: (thread = '') => shown.get(thread) ?? [],
    watch: (index = -1): FakeWatch => {
      const watch = watches.at(index);
      if (watch === undefined) {
        throw new Error('nothing is watched');
      }
      return watch;
    },
  };
}

export function failure(kind: ServiceErrorKind, outcome: RequestOutcome, status?: number, serviceMessage = '') {
  const details = { kind, outcome, method: 'GET', host: 'lab', path: '/v1/sessions/sesn_1', status, serviceMessage };
  return new ServiceError(`lab answered ${status ?? kind}: ${serviceMessage}`, details);
}

/** Returns events with the ids `e1`, `e2` and so on. */
export function said(...numbers: readonly number[]): readonly SessionEvent[] {
  return numbers.map(n => ({ type: 'agent.message', id: `e${n}`, content: [{ type: 'text', text: `words ${n}` }] }));
}

export const live = { type: 'state', state: { name: 'live' } } as const;
