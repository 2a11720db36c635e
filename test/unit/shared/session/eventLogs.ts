import fc from 'fast-check';
import type { TranscriptEvent } from '../../../../src/shared/session/event';

const steps = [
  'user.message',
  'user.message queued',
  'agent.message',
  'agent.thinking',
  'agent.tool_use',
  'agent.tool_use again',
  'agent.tool_use ask',
  'agent.mcp_tool_use',
  'agent.custom_tool_use',
  'agent.tool_result',
  'user.custom_tool_result',
  'user.tool_confirmation',
  'user.tool_confirmation unknown',
  'user.interrupt',
  'user.define_outcome',
  'session.status_running',
  'session.status_idle end_turn',
  'session.status_idle requires_action',
  'session.status_idle budget_reached',
  'session.status_terminated',
  'session.thread_created',
  'session.thread_status_running',
  'session.thread_status_idle',
  'session.thread_status_idle requires_action',
  'session.thread_status_terminated',
  'session.usage',
  'session.updated',
  'span.model_request_start',
  'span.model_request_end',
  'span.outcome_evaluation_start',
  'span.outcome_evaluation_ongoing',
  'span.outcome_evaluation_end',
  'workflow_run.created',
  'workflow_run.phase_started',
  'workflow_run.error',
  'workflow_run.status_ended',
] as const;

interface Step {
  readonly what: (typeof steps)[number];
  /** Selects the existing event that the new event refers to. */
  readonly pick: number;
  readonly ms: number;
  readonly thread: string | undefined;
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...steps),
  pick: fc.nat(1000),
  ms: fc.nat(3000),
  thread: fc.constantFrom(undefined, undefined, undefined, 'child', 'other'),
});

/** Logs of sessions with events in any order. References to calls and spans mostly have a target. */
export const eventLogs: fc.Arbitrary<readonly TranscriptEvent[]> = fc.array(step, { maxLength: 60 }).map(toEvents);

function toEvents(list: readonly Step[]): readonly TranscriptEvent[] {
  const events: TranscriptEvent[] = [];
  let now = Date.parse('2026-11-21T09:00:00.000Z');
  for (const { what, pick, ms, thread } of list) {
    now += ms;
    const [type = '', variant] = what.split(' ');
    const ids = (...types: readonly string[]) => events.filter(event => types.includes(event.type)).map(({ id }) => String(id));
    const one = (...types: readonly string[]) => ids(...types)[pick % Math.max(1, ids(...types).length)] ?? 'nowhere';
    events.push({
      type,
      id: `e${events.length}`,
      processed_at: new Date(now).toISOString(),
      ...(thread === undefined || noThread.has(type) ? {} : { session_thread_id: thread }),
      ...fieldsOf(type, variant, pick, one, events),
    });
  }
  return events;
}

const noThread = new Set(['user.message', 'session.status_running', 'session.status_idle', 'session.usage', 'session.updated']);
const calls = ['agent.tool_use', 'agent.mcp_tool_use', 'agent.custom_tool_use'];

function fieldsOf(
  type: string,
  variant: string | undefined,
  pick: number,
  one: (...types: readonly string[]) => string,
  events: readonly TranscriptEvent[],
): object {
  switch (type) {
    case 'user.message':
    case 'agent.message':
      return { content: [{ type: 'text', text: `words ${pick}` }], ...(variant === 'queued' ? { processed_at: null } : {}) };
    case 'agent.tool_use': {
      const known = variant === 'again' ? events.find(({ id }) => id === one('agent.tool_use')) : undefined;
      const asks = variant === undefined ? {} : { evaluated_permission: variant === 'ask' && pick % 5 === 0 ? 'deny' : 'ask' };
      return known === undefined
        ? { name: `tool${pick % 3}`, input: { n: pick }, tool_use_id: `toolu_${events.length}`, ...asks }
        : { name: known.name, input: known.input, tool_use_id: known.tool_use_id, ...asks };
    }
    case 'agent.mcp_tool_use':
      return { name: 'search', mcp_server_name: 'docs', input: {}, evaluated_permission: pick % 2 === 0 ? 'ask' : 'allow' };
    case 'agent.custom_tool_use':
      return { name: 'weather', input: { city: 'Paris' } };
    case 'agent.tool_result':
      return { tool_use_id: one(...calls), content: [{ type: 'text', text: `done ${pick}` }], is_error: pick % 4 === 0 };
    case 'user.custom_tool_result':
      return { custom_tool_use_id: one('agent.custom_tool_use'), content: [{ type: 'text', text: '18C' }] };
    case 'user.tool_confirmation':
      return { tool_use_id: variant === 'unknown' ? 'nowhere' : one(...calls), result: pick % 3 === 0 ? 'deny' : 'allow' };
    case 'user.define_outcome':
      return { outcome_id: `o${pick % 2}`, description: `goal ${pick}`, rubric: { type: 'text', content: 'good' } };
    case 'session.status_idle':
    case 'session.thread_status_idle':
      return {
        stop_reason: variant === 'requires_action' ? { type: variant, event_ids: [one(...calls)] } : { type: variant ?? 'end_turn' },
      };
    case 'session.usage':
      return { usage: { input_tokens: pick, list_cost: { amount: String(pick), currency: 'USD' } } };
    case 'session.updated':
      return { title: `title ${pick}` };
    case 'span.model_request_end':
      return {
        model_request_start_id: events.findLast(event => event.type === 'span.model_request_start')?.id,
        is_error: pick % 7 === 0,
        model_usage: { input_tokens: pick },
      };
    case 'span.outcome_evaluation_start':
    case 'span.outcome_evaluation_ongoing':
      return { outcome_id: `o${pick % 2}`, iteration: pick % 3 };
    case 'span.outcome_evaluation_end':
      return { outcome_id: `o${pick % 2}`, iteration: pick % 3, result: 'satisfied', explanation: `because ${pick}` };
    case 'workflow_run.created':
      return { workflow_run_id: `w${pick % 3}`, name: `run ${pick}`, phases: [{ id: 'p1', name: 'Build' }, pick] };
    case 'workflow_run.phase_started':
      return { workflow_run_id: `w${pick % 3}`, workflow_run_phase_id: `p${pick % 2}` };
    case 'workflow_run.error':
      return { workflow_run_id: pick % 3 === 0 ? null : `w${pick % 3}`, error: { type: 'timeout_error', message: `${pick}` } };
    case 'workflow_run.status_ended':
      return { workflow_run_id: `w${pick % 3}`, result: { type: 'completed' } };
    default:
      return {};
  }
}
