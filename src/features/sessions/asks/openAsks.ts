import type { TranscriptEvent } from '../../../shared/session/event';
import { idOf, listOf, momentOf, objectOf, textOf } from '../../../shared/session/eventFields';

/** Something that waits for the user, as far as the newest events tell. */
export interface OpenAsk {
  /** Event id to answer with, exactly as the service listed it. */
  readonly eventId: string;
  readonly kind: 'confirmation' | 'customTool';
  /** Undefined where the asking call is older than what was read. */
  readonly tool?: string;
  readonly server?: string;
  /** The arguments of the call. */
  readonly input?: unknown;
  /** Milliseconds since 1970 by the service's clock. */
  readonly at?: number;
}

interface Waiting extends OpenAsk {
  readonly thread: string | undefined;
  /** Listed by an idle event of a thread: it stays open when the session itself goes idle. */
  readonly ofThread?: boolean;
}

/**
 * What waits for the user after `events`, the newest of a session in the service's order, oldest first. A confirmation waits
 * from its call, or from the `requires_action` that lists it, until it is answered or the turn ends; a custom tool waits from
 * its call, even while the session runs: some servers never list it (API facts, 8.4).
 */
export function openAsks(events: readonly TranscriptEvent[]): readonly OpenAsk[] {
  const asks = new AskLedger();
  for (const event of events) {
    asks.take(event);
  }
  return asks.open();
}

class AskLedger {
  private readonly calls = new Map<string, TranscriptEvent>();
  private readonly waiting = new Map<string, Waiting>();
  private readonly answered = new Set<string>();

  open(): readonly OpenAsk[] {
    return [...this.waiting.values()].map(({ thread: _, ofThread: __, ...ask }) => ask);
  }

  take(event: TranscriptEvent): void {
    switch (event.type) {
      case 'agent.tool_use':
      case 'agent.mcp_tool_use':
        this.call(event, event.evaluated_permission === 'ask');
        break;
      case 'agent.custom_tool_use':
        this.call(event, true);
        break;
      case 'user.tool_confirmation':
      case 'user.tool_result':
      case 'agent.tool_result':
        this.answer(event.tool_use_id);
        break;
      case 'agent.mcp_tool_result':
        this.answer(event.mcp_tool_use_id);
        break;
      case 'user.custom_tool_result':
        this.answer(event.custom_tool_use_id);
        break;
      case 'user.interrupt':
        this.close(textOf(event.session_thread_id));
        break;
      case 'session.status_idle':
        this.sessionIdle(event);
        break;
      case 'session.thread_status_idle':
        this.threadIdle(event);
        break;
      case 'session.thread_status_terminated':
        this.close(textOf(event.session_thread_id));
        break;
      case 'session.status_terminated':
      case 'session.deleted':
        this.close(undefined);
        break;
    }
  }

  private call(event: TranscriptEvent, asks: boolean): void {
    const id = idOf(event);
    if (id === undefined) {
      return;
    }
    this.calls.set(id, event);
    if (asks) {
      this.wait(id, event, {});
    }
  }

  private sessionIdle(event: TranscriptEvent): void {
    const listed = requiredBy(event);
    for (const [id, { kind, ofThread }] of this.waiting) {
      const staysOpen = ofThread || (listed !== undefined && kind === 'customTool');
      if (!(staysOpen || listed?.includes(id))) {
        this.waiting.delete(id);
      }
    }
    for (const id of listed ?? []) {
      this.wait(id, event, {});
    }
  }

  private threadIdle(event: TranscriptEvent): void {
    const thread = textOf(event.session_thread_id);
    const listed = requiredBy(event);
    for (const [id, ask] of this.waiting) {
      if (ask.thread === thread && !listed?.includes(id)) {
        this.waiting.delete(id);
      }
    }
    for (const id of listed ?? []) {
      this.wait(id, event, { thread, ofThread: true });
    }
  }

  private wait(id: string, event: TranscriptEvent, where: { readonly thread?: string; readonly ofThread?: boolean }): void {
    if (this.answered.has(id)) {
      return;
    }
    const call = this.calls.get(id);
    const known = this.waiting.get(id);
    const at = momentOf(call ?? event)?.ms ?? known?.at;
    const tool = textOf(call?.name) ?? textOf(objectOf(event.requires_action_details)?.tool_name);
    this.waiting.set(id, {
      eventId: id,
      kind: call?.type === 'agent.custom_tool_use' ? 'customTool' : 'confirmation',
      ...(tool === undefined ? {} : { tool }),
      ...(textOf(call?.mcp_server_name) === undefined ? {} : { server: textOf(call?.mcp_server_name) }),
      ...(call?.input === undefined ? {} : { input: call.input }),
      ...(at === undefined ? {} : { at }),
      thread: where.thread ?? known?.thread ?? textOf(call?.session_thread_id),
      ofThread: where.ofThread ?? known?.ofThread ?? false,
    });
  }

  private answer(value: unknown): void {
    const id = textOf(value);
    if (id !== undefined) {
      this.answered.add(id);
      this.waiting.delete(id);
    }
  }

  /** The turn of a thread, or of the whole session, was ended: nothing of it waits. */
  private close(thread: string | undefined): void {
    for (const [id, ask] of this.waiting) {
      if (thread === undefined || ask.thread === thread) {
        this.waiting.delete(id);
      }
    }
  }
}

/** The event ids that an idle event waits for; undefined when it waits for nothing. */
function requiredBy(event: TranscriptEvent): readonly string[] | undefined {
  const reason = objectOf(event.stop_reason);
  return reason?.type === 'requires_action' ? listOf(reason.event_ids).flatMap(id => textOf(id) ?? []) : undefined;
}
