import type { SessionEvent } from '../../../client/events/eventLog';
import type { Sessions } from '../../../client/resources/sessions';
import type { Translate } from '../../../common/text/translate';
import { maskSecrets } from '../../../shared/maskedJson';
import { nameOfTool } from '../../../shared/session/event';
import { idOf } from '../../../shared/session/eventFields';
import { toLabel } from '../../../shared/text';
import type { OpenAsk } from '../facts/openAsks';
import { askingThread, type OwnEvent, sendAnswer } from '../live/sessionSender';
import { comparableInput } from './compareCalls';
import { type AgentCall, type RecordedAnswer, type RecordedDecision, type SessionTest, TestStopped, type ToolName } from './testDocument';

type Answer = Extract<OwnEvent, { readonly type: 'user.tool_confirmation' | 'user.custom_tool_result' }>;

export interface AnsweringOptions {
  readonly sessions: Sessions;
  readonly isEmulator: boolean;
  /** Aborts when the window closes. No further request is then sent. */
  readonly lifetime: AbortSignal;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly report: (line: string) => void;
  readonly t: Translate;
}

/** Responds to the requests of an agent as recorded, and stops the test if nothing was recorded. */
export class RecordedAnswers {
  private readonly answers: Recorded<RecordedAnswer>;
  private readonly decisions: Recorded<RecordedDecision>;
  private readonly answered = new Set<string>();

  constructor(
    private readonly test: SessionTest,
    private readonly options: AnsweringOptions,
  ) {
    this.answers = new Recorded(test.answers, test.compare.ignore);
    this.decisions = new Recorded(test.decisions, test.compare.ignore);
  }

  /** Responds to each request once, until `signal` aborts. Throws a `TestStopped` if no response is recorded or sending fails. */
  async answer(sessionId: string, asks: readonly OpenAsk[], events: readonly SessionEvent[], signal: AbortSignal): Promise<void> {
    const { sessions, lifetime, t, sleep } = this.options;
    for (const ask of asks.filter(({ eventId }) => !this.answered.has(eventId))) {
      signal.throwIfAborted();
      this.answered.add(ask.eventId);
      const event = ask.kind === 'customTool' ? this.resultOf(ask) : this.decisionOf(ask);
      const call = events.find(each => idOf(each) === ask.eventId);
      const thread = call === undefined ? { id: undefined, isNamed: false } : await askingThread(sessions, sessionId, call, signal);
      const ids = new Set(events.map(idOf));
      const sender = { sessionId, sessions: async () => sessions, isOld: (id: string) => ids.has(id), t, pause: sleep };
      const outcome = await sendAnswer(event, thread, sender, lifetime);
      if (outcome.name !== 'stored') {
        throw new TestStopped(t('The answer to {0} was not sent. {1}', toLabel(ask.tool ?? '', 80), outcome.problem));
      }
    }
  }

  private resultOf(ask: OpenAsk): Answer {
    const { content, isError } = this.take(this.answers, 'answers', toCall(ask));
    return { type: 'user.custom_tool_result', custom_tool_use_id: ask.eventId, content, is_error: isError };
  }

  private decisionOf(ask: OpenAsk): Answer {
    const { t, isEmulator } = this.options;
    const call = toCall(ask);
    if (!isEmulator && !this.test.decidesOnService) {
      const message = t('The agent asks to call {0}: {1}. Set "decide_on_service": true to answer it.', ...describeCall(call));
      throw new TestStopped(message, ['decide_on_service']);
    }
    // A decision allows only the exact call, because on a service the call has effects.
    const { decision, reason } = this.take(this.decisions, 'decisions', call, entry => isEmulator || entry.decision === 'deny');
    const hasMessage = decision === 'deny' && reason !== undefined;
    return { type: 'user.tool_confirmation', tool_use_id: ask.eventId, result: decision, ...(hasMessage && { deny_message: reason }) };
  }

  /** Takes the response to a call, and reports it. `suitsOthers` says whether an entry also suits calls with different arguments. */
  private take<T extends RecordedAnswer | RecordedDecision>(
    recorded: Recorded<T>,
    list: 'answers' | 'decisions',
    call: AgentCall,
    suitsOthers: (entry: T) => boolean = () => true,
  ): T {
    const { report, t } = this.options;
    const found = recorded.take(call);
    const [tool, input] = describeCall(call);
    if (found === undefined) {
      throw new TestStopped(t('The test has no recorded result for this call of {0}: {1}', tool, input), [list]);
    }
    const { entry, index, by } = found;
    const position = `${list}[${index}]`;
    if (by === 'order' && !suitsOthers(entry)) {
      throw new TestStopped(t('The agent asks to call {0} with different arguments: {1}', tool, input), [list, index]);
    }
    report(
      by === 'arguments'
        ? t('{0} {1} returns {2}.', tool, input, position)
        : t('{0} {1} returns {2}, the next recorded result of this tool. None was recorded with these arguments.', tool, input, position),
    );
    return entry;
  }
}

function toCall({ tool, server, input }: OpenAsk): AgentCall {
  return { tool: tool ?? '', ...(server !== undefined && { server }), input: maskSecrets(input ?? {}) };
}

function describeCall(call: AgentCall): [tool: string, input: string] {
  return [toLabel(nameOfTool(call), 80), toLabel(JSON.stringify(call.input), 200)];
}

/** Recorded entry, its index among all entries of its kind, and the criterion that selected it. */
interface Found<T> {
  readonly entry: T;
  readonly index: number;
  readonly by: 'arguments' | 'order';
}

/** Recorded responses to calls. Each response is used at most once. */
export class Recorded<T extends ToolName & { readonly input?: unknown }> {
  private readonly used = new Set<number>();

  constructor(
    private readonly entries: readonly T[],
    private readonly ignore: readonly string[],
  ) {}

  /**
   * Returns the first unused entry of the tool with the same arguments, or otherwise the first unused entry of the tool. `undefined` if no
   * entry is left.
   */
  take(call: AgentCall): Found<T> | undefined {
    const name = nameOfTool(call);
    const input = comparableInput(call.input, this.ignore);
    const left = this.entries.flatMap((entry, index) => (this.used.has(index) || nameOfTool(entry) !== name ? [] : [{ entry, index }]));
    const same = left.find(({ entry }) => entry.input === undefined || comparableInput(entry.input, this.ignore) === input);
    const found = same ?? left[0];
    if (found === undefined) {
      return undefined;
    }
    this.used.add(found.index);
    return { ...found, by: same === undefined ? 'order' : 'arguments' };
  }
}
