import type { SessionEvent } from '../../../client/events/eventLog';
import type { watchEvents } from '../../../client/events/eventStream';
import type { Session } from '../../../client/resources/sessions';
import { ServiceError } from '../../../client/transport/errors';
import { settlesWithin } from '../../../common/settlesWithin';
import { describeError } from '../../../common/text/describeError';
import type { Translate } from '../../../common/text/translate';
import { maskSecrets } from '../../../shared/maskedJson';
import { idOf, objectOf, textOf } from '../../../shared/session/eventFields';
import { toLabel } from '../../../shared/text';
import { centsOf, toBudget, toDollars } from '../attaching/budgetAmount';
import { interrupt, whenAtRest } from '../endSession';
import { openAsks } from '../facts/openAsks';
import { readWholeLog } from '../facts/wholeLog';
import { sendOnce } from '../live/sessionSender';
import { type AnsweringOptions, RecordedAnswers } from './recordedAnswers';
import { ownCalls } from './recordTest';
import { type AgentCall, type SessionTest, TestStopped } from './testDocument';

interface TestRunOptions extends AnsweringOptions {
  readonly title: string;
  /** Aborts when the user cancels. The session is then interrupted. */
  readonly signal: AbortSignal;
  readonly watch: typeof watchEvents;
  readonly locale: string;
}

/** Calls of an agent in a test. `stopped` says why the test did not finish. */
export interface TestOutcome {
  readonly calls: readonly AgentCall[];
  readonly stopped: TestStopped | 'cancelled' | undefined;
}

/** Maximum wait for pending requests at the end of a run, in milliseconds. */
const maxWaitMs = 10_000;

/** Turn of a message. The turn is under way once the message appears in the log. */
interface Turn {
  isUnderWay: boolean;
  readonly end: () => void;
}

/**
 * One run of a test: starts a session, sends the messages, responds as recorded, and returns the agent's calls. Never repeats a request
 * that changes something. At the end the session is always stopped, and archived if the test says so.
 */
export class SessionTestRun {
  private readonly events: SessionEvent[] = [];
  private readonly ids = new Set<string>();
  private readonly over = new AbortController();
  private readonly recorded: RecordedAnswers;
  private turn: Turn | undefined;
  /** Pending requests. They are not aborted, because a request could arrive after the interrupt and start a turn that nothing ends. */
  private sending: Promise<unknown> = Promise.resolve();
  private fail: (problem: TestStopped) => void = () => undefined;

  constructor(
    private readonly test: SessionTest,
    private readonly options: TestRunOptions,
  ) {
    this.recorded = new RecordedAnswers(test, options);
  }

  /** Runs the test. Never rejects because of the service or the agent. */
  async run(): Promise<TestOutcome> {
    const { signal, t, report } = this.options;
    let started: Session | undefined;
    let outcome: TestOutcome;
    try {
      signal.throwIfAborted();
      started = await this.start().catch((error: unknown) => {
        throw error instanceof ServiceError && error.outcome === 'unknown'
          ? new TestStopped(t('A session may have been started. Check the Sessions view. {0}', error.message))
          : error;
      });
      report(t('Session {0} was started.', toLabel(started.id, 80)));
      this.refuseOther(started);
      outcome = { calls: await this.converse(started.id), stopped: undefined };
    } catch (error) {
      outcome = { calls: [], stopped: signal.aborted ? 'cancelled' : toStopped(error) };
    }
    this.over.abort();
    if (started !== undefined) {
      await this.leave(started.id).catch(error => report(t("Couldn't end the session: {0}", describeError(error))));
    }
    return outcome;
  }

  private async start(): Promise<Session> {
    const { test, options } = this;
    const { agent, environment, budget } = test;
    if (!options.isEmulator && budget === undefined) {
      throw new TestStopped(describeMissingBudget(options.t), ['budget']);
    }
    const { data } = await options.sessions.create(
      {
        agent: { type: 'agent', id: agent.id, ...(agent.version !== 'latest' && { version: agent.version }) },
        ...(environment !== undefined && { environment_id: environment }),
        title: options.title,
        ...(!options.isEmulator && budget !== undefined && { budget: toBudget(budget) }),
      },
      // Cancelling doesn't abort this request, because an unknown session would keep running.
      { signal: options.lifetime },
    );
    return data;
  }

  /** Throws if the session differs from the requested session. Called before any message is sent. */
  private refuseOther(session: Session): void {
    const { test, options } = this;
    const { t, locale } = options;
    if (!options.isEmulator && centsOf(session.budget?.max_list_cost) !== test.budget) {
      const budget = toDollars(test.budget ?? 0, locale);
      throw new TestStopped(t('No message was sent: the service rejected the budget of {0}.', budget), ['budget']);
    }
    const { version } = test.agent;
    const got = session.agent?.version ?? version;
    if (version !== 'latest' && got !== version) {
      throw new TestStopped(t('No message was sent: the session has version {0} of the agent, not {1}.', got, version), [
        'agent',
        'version',
      ]);
    }
  }

  private async converse(sessionId: string): Promise<readonly AgentCall[]> {
    const { test, options } = this;
    const { sessions, t } = options;
    const signal = AbortSignal.any([options.signal, options.lifetime, this.over.signal]);
    const failed = new Promise<never>((_, reject) => {
      this.fail = reject;
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    // Avoids an unhandled rejection if nothing awaits the promise any more.
    failed.catch(() => undefined);
    signal.throwIfAborted();
    const onTimeout = () => this.fail(new TestStopped(t("The session didn't end within {0} s.", test.limitSeconds), ['limit_seconds']));
    options.sleep(test.limitSeconds * 1000, signal).then(onTimeout, () => undefined);
    void this.follow(sessionId, signal);
    for (const [at, text] of test.messages.entries()) {
      const ended = new Promise<void>(end => {
        this.turn = { isUnderWay: false, end };
      });
      await Promise.race([this.track(this.say(sessionId, text, at)), failed]);
      await Promise.race([ended, failed]);
      this.turn = undefined;
    }
    const log = await Promise.race([readWholeLog(sessions.events(sessionId), signal, () => undefined), failed]);
    return ownCalls(log).map(call => maskSecrets(call));
  }

  private async say(sessionId: string, text: string, at: number): Promise<void> {
    const { sessions, lifetime, t } = this.options;
    const before = new Set(this.ids);
    const sender = { sessionId, sessions: async () => sessions, isOld: (id: string) => before.has(id), t, pause: this.options.sleep };
    const outcome = await sendOnce({ type: 'user.message', content: [{ type: 'text', text }] }, sender, lifetime);
    if (outcome.name !== 'stored') {
      throw new TestStopped(t('Message {0} was not sent. {1}', at + 1, outcome.problem), ['messages', at]);
    }
  }

  private track(sending: Promise<void>): Promise<void> {
    this.sending = Promise.allSettled([this.sending, sending]);
    return sending;
  }

  private async follow(sessionId: string, signal: AbortSignal): Promise<void> {
    const { sessions, watch, report, t } = this.options;
    try {
      for await (const update of watch(sessions.events(sessionId), { signal })) {
        if (update.type === 'events' || update.type === 'corrected') {
          update.events.forEach(event => {
            this.take(event);
          });
          await this.track(this.recorded.answer(sessionId, openAsks(this.events), this.events, signal));
        } else if (update.type === 'state' && update.state.name === 'reconnecting' && update.state.error !== undefined) {
          report(t('Reconnecting: {0}', describeError(update.state.error)));
        } else if (update.type === 'state' && update.state.name === 'ended') {
          const { error } = update.state;
          throw new TestStopped(t("Couldn't read the events. {0}", error === undefined ? '' : describeError(error)).trim());
        }
      }
    } catch (error) {
      this.fail(toStopped(error));
    }
  }

  private take(event: SessionEvent): void {
    const id = idOf(event);
    if (id !== undefined && this.ids.has(id)) {
      return;
    }
    this.ids.add(id ?? '');
    this.events.push(event);
    const { t } = this.options;
    const { turn } = this;
    if (event.type === 'user.message' && turn !== undefined) {
      turn.isUnderWay = true;
    } else if (event.type === 'session.status_terminated' || event.type === 'session.deleted') {
      this.stop(new TestStopped(t('The session ended before the test did: {0}', event.type)));
    } else if (event.type === 'session.status_idle' && turn?.isUnderWay === true) {
      const reason = textOf(objectOf(event.stop_reason)?.type) ?? 'end_turn';
      if (reason === 'end_turn') {
        turn.end();
      } else if (reason !== 'requires_action') {
        this.stop(new TestStopped(describeStop(reason, t), reason === 'budget_reached' ? ['budget'] : []));
      }
    }
  }

  /** Ends the run after an unexpected end of the turn. The session is then not interrupted. */
  private stop(problem: TestStopped): void {
    this.turn = undefined;
    this.fail(problem);
  }

  private async leave(sessionId: string): Promise<void> {
    const { sessions, lifetime, sleep, report, t, locale } = this.options;
    await settlesWithin(this.sending, maxWaitMs, lifetime);
    if (this.turn !== undefined) {
      await interrupt(sessions, sessionId, lifetime);
      report(t('The session was interrupted.'));
    }
    await whenAtRest(sessions, sessionId, milliseconds => sleep(milliseconds, lifetime), lifetime, t);
    const { data: session } = await sessions.retrieve(sessionId, { signal: lifetime });
    const cost = centsOf(session.usage?.list_cost);
    if (cost !== undefined && !this.options.isEmulator) {
      report(t('Cost: {0}', toDollars(cost, locale)));
    }
    if (this.test.afterwards === 'archive') {
      await sessions.archive(sessionId, { signal: lifetime });
      report(t('This session is archived.'));
    }
  }
}

/** Returns why a test without a budget can't run on a service. */
export function describeMissingBudget(t: Translate): string {
  return t('Add a "budget" in US dollars to the test, such as "0.50".');
}

function describeStop(reason: string, t: Translate): string {
  switch (reason) {
    case 'retries_exhausted':
      return t('The model failed.');
    case 'budget_reached':
      return t('Out of budget');
    default:
      return t('The session stopped: {0}', toLabel(reason, 80));
  }
}

function toStopped(error: unknown): TestStopped {
  return error instanceof TestStopped ? error : new TestStopped(describeError(error), [], { cause: error });
}
