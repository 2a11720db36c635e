import type { SessionEvent } from '../../../../../src/client/events/eventLog';
import { Emitter } from '../../../../../src/common/emitter';
import type { SessionReference } from '../../../../../src/contributions';
import type { AskedQuestion, WaitingSession } from '../../../../../src/features/sessions/facts/needs';
import { AskedSession } from '../../../../../src/features/sessions/inbox/askedSession';
import { AskSources } from '../../../../../src/features/sessions/inbox/askSources';
import { DismissedQuestions } from '../../../../../src/features/sessions/inbox/dismissedQuestions';
import { InboxDesk } from '../../../../../src/features/sessions/inbox/inboxDesk';
import { type AskSource, Conversation } from '../../../../../src/features/sessions/live/conversation';
import { fillPlaceholders } from '../../requests/fillPlaceholders';
import { MemoryMemento } from '../memoryMemento';
import { FakeSessions, FakeTime } from '../panel/fakeService';

/** Returns the events, newest first, of a session that asks for permission to run `command`. */
export function asking(id: string, command: string, at = '2026-01-05T09:31:00Z'): SessionEvent[] {
  return [
    { type: 'session.status_idle', id: `idle ${id}`, stop_reason: { type: 'requires_action', event_ids: [id] } },
    { type: 'agent.tool_use', id, name: 'bash', input: { command }, evaluated_permission: 'ask', processed_at: at },
    { type: 'session.status_running', id: `running ${id}` },
  ];
}

/** Returns the events, newest first, of a session that is idle after a question. */
export function questioning(id: string, text: string): SessionEvent[] {
  return [
    { type: 'session.status_idle', id: `idle ${id}`, stop_reason: { type: 'end_turn' } },
    { type: 'agent.message', id, content: [{ type: 'text', text }] },
    { type: 'session.status_running', id: `running ${id}` },
  ];
}

/** Returns the events, newest first, of another window's answer to an ask. */
export function answered(id: string): SessionEvent[] {
  return [
    { type: 'session.status_running', id: `resumed ${id}` },
    { type: 'user.tool_confirmation', id: `answer ${id}`, tool_use_id: id, result: 'allow', processed_at: '2026-01-05T09:32:00Z' },
  ];
}

/** Creates an inbox with one service per session. A test can change the responses of the services. */
export function createInboxUnderTest(...names: readonly string[]) {
  const time = new FakeTime();
  const services = new Map(names.map(name => [name, new FakeSessions()]));
  const waitingChanged = new Emitter<void>();
  const opened = new Emitter<void>();
  const open = new Map<string, AskSource>();
  const warnings: string[] = [];
  let waiting: readonly WaitingSession[] = [];
  let questions: readonly AskedQuestion[] = [];
  const known = { onDidChange: waitingChanged.event, all: () => waiting, questions: () => questions };
  const memento = new MemoryMemento();
  const service = (name: string): FakeSessions => {
    const known = services.get(name);
    if (known === undefined) {
      throw new Error(`There is no ${name}.`);
    }
    return known;
  };
  let asked = 0;
  let isFindingOut = false;
  const lifetime = new AbortController();
  const clock = { now: () => time.now, monotonic: () => time.now };
  const sources = new AskSources({
    waiting: known,
    open: ({ sessionId }) => open.get(sessionId),
    onDidOpen: opened.event,
    create: (reference: SessionReference, onStale) => {
      const sessions = async () => service(reference.sessionId).api;
      const facts = { take: () => [], setLog: () => undefined, logOf: () => undefined };
      const session = new AskedSession({ reference, sessions, t: fillPlaceholders, onStale, onGone: () => undefined, facts, clock });
      const warn = (message: string) => warnings.push(message);
      return {
        session,
        actions: new Conversation({ session, sessions, t: fillPlaceholders, lifetime: lifetime.signal, warn, pause: async () => {} }),
        dispose: () => session.dispose(),
      };
    },
    clock,
    warn: message => warnings.push(message),
    onRead: requests => {
      asked += requests;
    },
    timers: time,
  });
  const rules = new Map<string, { readonly ruleName: string; readonly result: 'allow' | 'deny' }>();
  const postponed = new Set<string>();
  const dismissed = new DismissedQuestions(memento);
  const desk = new InboxDesk({
    ...{ sources, postponed, clock, lifetime: lifetime.signal },
    ...{ waiting: known, dismissed },
    search: () => ({ watched: 'Watched: the listed sessions of Lab.', isFindingOut }),
    decisions: () => ({ countSince: () => 0, find: (_, eventId) => rules.get(eventId) as never }),
    canWrite: () => true,
    t: fillPlaceholders,
  });
  sources.setVisible(true);
  return {
    ...{ time, service, sources, desk, warnings, open, opened, rules },
    /** Sets whether the search for more waiting sessions is running. */
    setFindingOut: (isSo: boolean) => {
      isFindingOut = isSo;
    },
    /** Returns the number of requests that were reported. */
    asked: () => asked,
    /** Sets the sessions that the list shows as waiting. */
    setWaiting(...sessions: readonly string[]): void {
      const [ask] = [{ eventId: 'of the list', kind: 'confirmation' as const }];
      waiting = sessions.map(sessionId => ({ connection: 'Lab', sessionId, name: undefined, agent: undefined, asks: ask ? [ask] : [] }));
      waitingChanged.fire();
    },
    /** Sets the sessions that the list shows with questions, and the IDs of the messages with the questions. */
    setQuestions(...asked: readonly (readonly [sessionId: string, eventId: string])[]): void {
      questions = asked.map(([sessionId, eventId]) => ({
        ...{ connection: 'Lab', sessionId, eventId },
        ...{ name: `Name of ${sessionId}`, agent: 'Researcher', at: undefined },
      }));
      waitingChanged.fire();
    },
    /** Sets the session that the list shows as stuck. `undefined` means that no session is stuck. */
    setStuck(sessionId?: string): void {
      const problem = { kind: 'silent', minutes: 9, episode: 'silent e1' } as const;
      questions =
        sessionId === undefined
          ? []
          : [{ ...{ connection: 'Lab', sessionId, eventId: problem.episode, problem }, ...{ name: 'Audit', agent: 'Researcher', at: 5 } }];
      waitingChanged.fire();
    },
    /** Returns the commands of the inbox's entries. */
    commands: () => desk.view.entries.map(({ ask }) => ('text' in ask.input ? /"command": "(.*)"/.exec(ask.input.text ?? '')?.[1] : '')),
    end(): void {
      desk.dispose();
      sources.dispose();
    },
  };
}
