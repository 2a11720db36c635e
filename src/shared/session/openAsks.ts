import { defined } from '../defined';
import { toLabel } from '../text';
import { foreignThreadOf, type TranscriptEvent } from './event';
import { textOf } from './eventFields';
import type { Timeline } from './facts/timeline';
import { inputOf, nameOf } from './rows/buildToolRow';
import type { StrayAsk } from './rows/callLinks';
import { partLimit, toJsonPart } from './rows/parts';
import type { RowSource } from './rows/rowSource';
import type { Part } from './rows/rows';

/** Definition of a custom tool, as given to the agent (API facts, `CustomTool`). */
export interface ToolDefinition {
  readonly description?: Extract<Part, { type: 'text' }>;
  readonly input?: Extract<Part, { type: 'json' }>;
}

/** A tool call that waits for the user: for permission, or, for a custom tool, for its result. */
export interface Ask {
  /** Event id to answer with, exactly as the service listed it. */
  readonly eventId: string;
  readonly kind: 'confirmation' | 'customTool';
  readonly rowKey: string;
  readonly tool: string;
  readonly server?: string;
  /** Complete or `cut` arguments. Cut arguments must be loaded before the call can be allowed. */
  readonly input: Part;
  /** Thread that asks, if the event names a thread. Sent back with the answer. */
  readonly thread?: string;
  readonly threadName?: string;
  readonly definition?: ToolDefinition;
  readonly at: number | undefined;
  /** True while an answer is being sent, or until the service continues after the answer. */
  readonly answering?: boolean;
}

/** An ask as found in the log. The view adds names of threads and definitions of tools. */
export type TranscriptAsk = Omit<Ask, 'threadName' | 'definition'>;

/**
 * Returns the open asks. A call is open until it is answered, has a result, or its turn ends. An answered call stays in the list until the
 * service has processed the answer. `answering` has the ids of calls whose answers are being sent.
 */
export function openAsks(timeline: Timeline, answering: ReadonlySet<string>): readonly TranscriptAsk[] {
  const { asking, strays } = timeline.calls;
  const isTaken = ({ confirmation }: RowSource): boolean =>
    confirmation !== undefined &&
    (timeline.eventAt(confirmation).processed_at !== null || timeline.deliveries.stateOf(confirmation) === 'delivered');
  return [
    ...asking
      .filter(source => !isTaken(source))
      .map(source => toAsk(timeline, source, source.confirmation !== undefined || answering.has(source.askId ?? ''))),
    ...strays.map(stray => toStrayAsk(timeline, stray, answering.has(stray.eventId))),
  ];
}

function toAsk(timeline: Timeline, source: RowSource, isAnswering: boolean): TranscriptAsk {
  const call = timeline.eventAt(source.seq);
  const position = timeline.indexOf(source.askId ?? '') ?? source.seq;
  const asking = timeline.eventAt(position);
  const server = textOf(call.mcp_server_name);
  return {
    eventId: source.askId ?? source.key,
    kind: call.type === 'agent.custom_tool_use' ? 'customTool' : 'confirmation',
    rowKey: source.key,
    tool: nameOf(call),
    input: toJsonPart(inputOf(asking) ?? inputOf(call), partLimit),
    at: timeline.momentAt(position)?.ms,
    ...defined({
      server: server && toLabel(server),
      thread: foreignThreadOf(asking, timeline.shownThread),
      answering: isAnswering || undefined,
    }),
  };
}

function toStrayAsk(timeline: Timeline, { eventId, seq }: StrayAsk, isAnswering: boolean): TranscriptAsk {
  const event = timeline.eventAt(seq);
  return {
    eventId,
    kind: 'confirmation',
    rowKey: timeline.ownerOf(seq)?.key ?? '',
    tool: nameOf({ type: '', ...(event.requires_action_details as object | undefined) }),
    // The call is not in this log. Its arguments must be loaded before the call can be allowed.
    input: { type: 'json', text: '', cut: 1 },
    at: timeline.momentAt(seq)?.ms,
    ...defined({ thread: foreignThreadOf(event, timeline.shownThread), answering: isAnswering || undefined }),
  };
}

/** Returns the events that show that asks (event ids) are open, and answers being sent, oldest first. */
export function askEventsOf(timeline: Timeline, asks: ReadonlySet<string>): readonly TranscriptEvent[] {
  const calls = timeline.calls.asking.filter(({ askId }) => askId !== undefined && asks.has(askId));
  const strays = timeline.calls.strays.filter(({ eventId }) => asks.has(eventId));
  const positions = [
    ...calls.flatMap(({ seq, again, ask, confirmation }) => [seq, again, ask, confirmation]),
    ...strays.map(({ seq }) => seq),
  ];
  const sorted = [...new Set(positions)].filter(position => position !== undefined).sort((a, b) => a - b);
  return sorted.map(position => timeline.eventAt(position));
}
