import type { Event } from 'vscode';
import type { SessionEvent } from '../../../client/events/eventLog';
import type { Sessions } from '../../../client/resources/sessions';
import type { Translate } from '../../../common/text/translate';
import type { Ask } from '../../../shared/session/openAsks';
import { inputOf } from '../../../shared/session/rows/buildToolRow';
import { toPrettyJson } from '../../../shared/session/rows/parts';
import { askFingerprint } from '../facts/askFingerprint';
import type { LiveSession } from './liveSession';
import type { PanelSource } from './panelSource';
import { type OwnEvent, type SenderOptions, type SendOutcome, sendAnswer, sendOnce } from './sessionSender';

/** Result of a send. `problem` says why it failed, or that its outcome is unknown. Without a problem, the user cancelled. */
export type SendResult = { readonly ok: true } | { readonly ok: false; readonly problem?: string };

/** The session of a conversation, with the log that shows sent messages. */
export type ConversedSession = Pick<
  LiveSession,
  'reference' | 'view' | 'transcript' | 'log' | 'openThreads' | 'primaryThread' | 'readSoon'
>;

interface ConversationOptions {
  readonly session: ConversedSession;
  /** Returns the sessions API of the connection, for changes. Throws if nothing may be sent. */
  readonly sessions: () => Promise<Sessions>;
  readonly t: Translate;
  /** Aborts when the extension stops. Nothing is sent after that. */
  readonly lifetime: AbortSignal;
  /** Called before the answer to an ask is sent, and awaited. Never rejects. */
  readonly claim?: (eventId: string) => Promise<void>;
  /** Called with a problem that occurred after the panel was closed, without the user's text. */
  readonly warn: (message: string) => void;
  readonly pause?: SenderOptions['pause'];
}

const longestDenyMessage = 10_000;
/** Number of newest events that a send remembers, to recognise its own event among later events. */
const remembered = 2000;

/** User actions on a session: messages, outcomes, answers, interrupts. Each action is sent once, even if the panel closes first. */
export class Conversation {
  private readonly watched = new AbortController();
  /** Results by client ID, so that a double click sends once. */
  private readonly results = new Map<string, Promise<SendResult>>();
  private readonly answers = new Map<string, Promise<SendResult>>();
  private readonly interrupts = new Map<string, Promise<SendResult>>();
  /** Fingerprints of asks whose complete arguments were loaded for display, by event ID. */
  private readonly knownAsks = new Map<string, string>();
  /** Delivery of the last message. The next message waits for this delivery, so that messages are sent in the order they were written. */
  private lastWords: Promise<unknown> = Promise.resolve();
  private interruptCount = 0;

  constructor(private readonly options: ConversationOptions) {}

  /**
   * Sends a message once the earlier messages are sent. Calls `more` for further blocks just before sending. If `more` rejects, sends
   * nothing and rejects.
   */
  sendMessage(clientId: string, text: string, more?: () => Promise<readonly object[]>): Promise<SendResult> {
    return once(this.results, clientId, async () => {
      if (text.trim() === '') {
        return this.refuse(this.options.t('The message is empty.'));
      }
      const words = { type: 'text', text };
      if (more === undefined) {
        return await this.inOrder(clientId, { type: 'user.message', content: [words] });
      }
      const sending = this.lastWords.then(async () => {
        const event: OwnEvent = { type: 'user.message', content: [words, ...(await more())] };
        this.forgetFailed(event);
        return await this.deliver(clientId, event);
      });
      this.lastWords = sending.catch(() => undefined);
      return await sending;
    });
  }

  defineOutcome(clientId: string, outcome: { description: string; rubric: string; maxIterations?: number }): Promise<SendResult> {
    const { description, rubric, maxIterations } = outcome;
    return once(this.results, clientId, () =>
      this.inOrder(clientId, {
        type: 'user.define_outcome',
        description,
        rubric: { type: 'text', content: rubric },
        ...(maxIterations === undefined ? {} : { max_iterations: maxIterations }),
      }),
    );
  }

  interrupt(thread: string | undefined): Promise<SendResult> {
    const target = thread ?? '';
    const isChild = target !== '' && target !== this.options.session.primaryThread;
    const event: OwnEvent = { type: 'user.interrupt', ...(isChild ? { session_thread_id: target } : {}) };
    return once(this.interrupts, target, () =>
      this.deliver(`interrupt-${++this.interruptCount}`, event).finally(() => this.interrupts.delete(target)),
    );
  }

  /** Records the complete arguments that were loaded for display. */
  argumentsShown(eventId: string, text: string): void {
    const ask = this.openAsk(eventId);
    if (ask !== undefined) {
      this.knownAsks.set(eventId, askFingerprint(ask.tool, ask.server, text));
    }
  }

  /** Returns the fingerprint of an ask's loaded arguments, or otherwise of its current arguments. `undefined` if neither is known. */
  fingerprintOf(eventId: string): string | undefined {
    return this.knownAsks.get(eventId) ?? this.fingerprintNow(eventId);
  }

  /** Returns whether an ask is known to differ from the ask with the fingerprint `shown`. */
  hasChanged(eventId: string, shown: string | undefined): boolean {
    const now = this.fingerprintNow(eventId) ?? this.knownAsks.get(eventId);
    return shown !== undefined && now !== undefined && now !== shown;
  }

  /** Allows or denies an ask by its exact event ID. `shown` is the fingerprint of the ask that the user saw. No other ask is allowed. */
  confirm(
    clientId: string,
    eventId: string,
    result: 'allow' | 'deny',
    denyMessage: string | undefined,
    shown: string | undefined,
  ): Promise<SendResult> {
    const { t } = this.options;
    return this.answer(clientId, eventId, 'confirmation', ask => {
      if (result === 'allow') {
        const isCut = 'cut' in ask.input && ask.input.cut !== undefined;
        if (shown === undefined || (isCut && !this.knownAsks.has(eventId))) {
          return t('Load all arguments before you allow it.');
        }
        if (this.hasChanged(eventId, shown)) {
          return t('Not allowed: it has changed. Review it again.');
        }
      }
      const words = result === 'deny' && denyMessage !== undefined && denyMessage.trim() !== '' ? denyMessage : undefined;
      if (words !== undefined && words.length > longestDenyMessage) {
        return t('Use at most {0} characters.', longestDenyMessage);
      }
      return { type: 'user.tool_confirmation', tool_use_id: eventId, result, ...(words === undefined ? {} : { deny_message: words }) };
    });
  }

  customResult(clientId: string, eventId: string, content: readonly object[], isError: boolean): Promise<SendResult> {
    return this.answer(clientId, eventId, 'customTool', () => ({
      type: 'user.custom_tool_result',
      custom_tool_use_id: eventId,
      content,
      is_error: isError,
    }));
  }

  openAsk(eventId: string): Ask | undefined {
    return this.options.session.view.asks.find(ask => ask.eventId === eventId);
  }

  /** Handles the closing of the panel. Accepted messages are still sent, but their results are no longer tracked. */
  close(): void {
    this.watched.abort();
  }

  private fingerprintNow(eventId: string): string | undefined {
    const [ask, input] = [this.openAsk(eventId), this.argumentsNow(eventId)];
    return ask === undefined || input === undefined ? undefined : askFingerprint(ask.tool, ask.server, input);
  }

  /** Returns the complete arguments of an ask, from the open logs. */
  private argumentsNow(eventId: string): string | undefined {
    const { session } = this.options;
    for (const thread of ['', ...session.openThreads]) {
      const transcript = session.transcript(thread);
      const event = transcript?.eventOf(eventId);
      if (event !== undefined) {
        const part = thread === '' ? transcript?.partOf(eventId, 'ask') : undefined;
        return part?.text ?? toPrettyJson(inputOf(event));
      }
    }
    return undefined;
  }

  private answer(
    clientId: string,
    eventId: string,
    kind: Ask['kind'],
    make: (ask: Ask) => string | Extract<OwnEvent, { type: 'user.tool_confirmation' | 'user.custom_tool_result' }>,
  ): Promise<SendResult> {
    const send = async () => {
      const ask = this.openAsk(eventId);
      if (ask === undefined || ask.kind !== kind || ask.answering === true) {
        return this.refuse(this.options.t('It no longer needs an answer.'));
      }
      const event = make(ask);
      if (typeof event === 'string') {
        return this.refuse(event);
      }
      const { session } = this.options;
      const asking = session.transcript('')?.eventOf(eventId);
      const named = typeof asking?.session_thread_id === 'string' ? asking.session_thread_id : ask.thread;
      const thread = { id: named ?? session.primaryThread, isNamed: named !== undefined && named !== session.primaryThread };
      return await this.deliver(clientId, event, async (options, signal) => {
        await this.options.claim?.(eventId);
        return await sendAnswer(event, thread, options, signal);
      });
    };
    return once(this.results, clientId, () => once(this.answers, eventId, () => send().finally(() => this.answers.delete(eventId))));
  }

  private inOrder(clientId: string, event: OwnEvent): Promise<SendResult> {
    this.forgetFailed(event);
    const before = this.lastWords;
    const sending = this.deliver(clientId, event, async (options, signal) => {
      await before;
      return await sendOnce(event, options, signal);
    });
    this.lastWords = sending;
    return sending;
  }

  private forgetFailed(event: OwnEvent): void {
    this.options.session.log('').forgetFailed(failed => failed.type === event.type && JSON.stringify(failed) === JSON.stringify(event));
  }

  private async deliver(
    clientId: string,
    event: OwnEvent,
    send: (options: SenderOptions, signal: AbortSignal) => Promise<SendOutcome> = (options, signal) => sendOnce(event, options, signal),
  ): Promise<SendResult> {
    const { session, t } = this.options;
    const log = session.log('');
    const before = new Set(log.transcript.events.slice(-remembered).map(({ id }) => id));
    log.addOwn({ clientId, events: [event] });
    const options: SenderOptions = {
      sessionId: session.reference.sessionId,
      sessions: this.options.sessions,
      isOld: id => before.has(id),
      watched: this.watched.signal,
      t,
      ...(this.options.pause && { pause: this.options.pause }),
    };
    let outcome: SendOutcome;
    try {
      outcome = await send(options, this.options.lifetime);
    } catch (error) {
      // `send` throws only when the extension stops, so nobody sees the result.
      return this.refuse(error instanceof Error ? error.message : String(error));
    }
    if (outcome.name === 'stored' || log.transcript.own.isStored(clientId)) {
      const stored: readonly SessionEvent[] = outcome.name === 'stored' && outcome.stored !== undefined ? [outcome.stored] : [];
      log.ownStored({ clientId, events: stored });
      log.expectEvents();
      return { ok: true };
    }
    if (this.watched.signal.aborted) {
      this.options.warn(`What was said in session ${session.reference.sessionId} before its panel closed was not sent: ${outcome.problem}`);
    }
    log.ownFailed(clientId, outcome.problem);
    session.readSoon();
    return this.refuse(outcome.problem);
  }

  private refuse(problem: string): SendResult {
    return { ok: false, problem };
  }
}

/** Returns the known result of a key, or starts the work. */
function once(known: Map<string, Promise<SendResult>>, key: string, work: () => Promise<SendResult>): Promise<SendResult> {
  const result = known.get(key) ?? work();
  known.set(key, result);
  return result;
}

/** Session whose open asks are all known, with the conversation that answers them. */
export interface AskSource {
  readonly session: ConversedSession &
    Pick<LiveSession, 'findEvent'> &
    Pick<PanelSource, 'described'> & { readonly onDidChange: Event<unknown> };
  readonly actions: Conversation;
}
