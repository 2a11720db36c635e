import * as z from 'zod';
import { agentSnapshotSchema } from './agents';
import { metadataSchema } from './metadata';
import { sessionEventSchema } from './sessionEvents';
import { budgetSchema, sessionUsageSchema } from './sessions';

// What is known of each type of event (API facts, section 8). As everywhere, nothing but `type` is demanded and all else is kept.

const text = z.string().nullish();
const number = z.number().nullish();
const flag = z.boolean().nullish();

/** One part of a content: `text`, `image`, `document`, `search_result`, `redacted`, `thinking`; any other `type` is kept. */
export const eventContentBlockSchema = z.looseObject({
  type: z.string(),
  text,
  title: z.unknown().optional(),
  source: z.unknown().optional(),
});
export type EventContentBlock = z.infer<typeof eventContentBlockSchema>;

const content = z.array(eventContentBlockSchema).nullish();
const input = z.record(z.string(), z.unknown()).nullish();

/** Why a session or a thread rests: `end_turn`, `requires_action` with `event_ids`, `retries_exhausted`, `budget_reached`; any other is kept. */
export const stopReasonSchema = z.looseObject({ type: z.string(), event_ids: z.array(z.string()).nullish() });
export type StopReason = z.infer<typeof stopReasonSchema>;

const modelUsageSchema = z.looseObject({
  input_tokens: number,
  output_tokens: number,
  cache_creation_input_tokens: number,
  cache_read_input_tokens: number,
  speed: text,
});

const of = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.looseObject({ ...sessionEventSchema.shape, type: z.literal(type), ...shape });

const outcome = { outcome_id: text, iteration: number };
const thread = { agent_name: text, session_thread_id: text };
const toolUse = { name: text, input, evaluated_permission: text };
const stop_reason = stopReasonSchema.nullish();

/** What is known of each type of event, by type: what clients send, what is stored, and what the stream alone tells. */
export const sessionEventSchemas = {
  'user.message': of('user.message', { content }),
  'user.interrupt': of('user.interrupt', {}),
  'user.tool_confirmation': of('user.tool_confirmation', { tool_use_id: text, result: text, deny_message: text }),
  'user.custom_tool_result': of('user.custom_tool_result', { custom_tool_use_id: text, content, is_error: flag }),
  'user.tool_result': of('user.tool_result', { tool_use_id: text, content, is_error: flag }),
  'user.define_outcome': of('user.define_outcome', {
    outcome_id: text,
    description: text,
    max_iterations: number,
    rubric: z.looseObject({ type: z.string(), content: text, file_id: text }).nullish(),
  }),
  'system.message': of('system.message', { content }),

  'agent.message': of('agent.message', { content }),
  'agent.thinking': of('agent.thinking', {}),
  'agent.tool_use': of('agent.tool_use', toolUse),
  'agent.tool_result': of('agent.tool_result', { tool_use_id: text, content, is_error: flag }),
  'agent.mcp_tool_use': of('agent.mcp_tool_use', { ...toolUse, mcp_server_name: text }),
  'agent.mcp_tool_result': of('agent.mcp_tool_result', { mcp_tool_use_id: text, content, is_error: flag }),
  'agent.custom_tool_use': of('agent.custom_tool_use', { name: text, input }),
  'agent.thread_context_compacted': of('agent.thread_context_compacted', {}),
  'agent.thread_message_received': of('agent.thread_message_received', { from_agent_name: text, from_session_thread_id: text, content }),
  'agent.thread_message_sent': of('agent.thread_message_sent', { to_agent_name: text, to_session_thread_id: text, content }),

  'session.status_running': of('session.status_running', {}),
  'session.status_idle': of('session.status_idle', { stop_reason }),
  'session.status_rescheduled': of('session.status_rescheduled', {}),
  'session.status_terminated': of('session.status_terminated', {}),
  'session.error': of('session.error', {
    error: z
      .looseObject({
        type: z.string(),
        message: text,
        retry_status: z.looseObject({ type: z.string() }).nullish(),
        mcp_server_name: text,
        vault_id: text,
        credential_id: text,
      })
      .nullish(),
  }),
  'session.updated': of('session.updated', {
    title: text,
    metadata: metadataSchema.nullish(),
    agent: agentSnapshotSchema.nullish(),
    budget: budgetSchema.nullish(),
  }),
  'session.usage': of('session.usage', { usage: sessionUsageSchema.nullish(), budget: budgetSchema.nullish() }),
  'session.deleted': of('session.deleted', {}),
  'session.thread_created': of('session.thread_created', thread),
  'session.thread_status_running': of('session.thread_status_running', thread),
  'session.thread_status_idle': of('session.thread_status_idle', { ...thread, stop_reason }),
  'session.thread_status_rescheduled': of('session.thread_status_rescheduled', thread),
  'session.thread_status_terminated': of('session.thread_status_terminated', thread),

  'span.model_request_start': of('span.model_request_start', {}),
  'span.model_request_end': of('span.model_request_end', {
    is_error: flag,
    /** Flat; one server gives a record by model id. */
    model_usage: modelUsageSchema.nullish(),
    model_request_start_id: text,
  }),
  'span.outcome_evaluation_start': of('span.outcome_evaluation_start', outcome),
  'span.outcome_evaluation_ongoing': of('span.outcome_evaluation_ongoing', outcome),
  'span.outcome_evaluation_end': of('span.outcome_evaluation_end', {
    ...outcome,
    outcome_evaluation_start_id: text,
    result: text,
    explanation: text,
    usage: modelUsageSchema.nullish(),
  }),

  event_start: of('event_start', { event: z.looseObject({ type: z.string(), id: z.string() }) }),
  event_delta: of('event_delta', {
    event_id: z.string(),
    delta: z.looseObject({ type: z.string(), index: number, content: eventContentBlockSchema.nullish() }),
  }),
} as const;

export type KnownSessionEventType = keyof typeof sessionEventSchemas;

/** An event of a known type, with the fields that are known of it. */
export type KnownSessionEvent<T extends KnownSessionEventType = KnownSessionEventType> = {
  [K in T]: z.infer<(typeof sessionEventSchemas)[K]>;
}[T];
