import type { TranscriptEvent } from './event';
import { sentTypes } from './ownEvents';

/** Fields that link events to each other, or tell of the session: where one changes, much else may. */
const structural = new Set([
  'type',
  'session_thread_id',
  'agent_name',
  'name',
  'tool_name',
  'input',
  'tool_use_id',
  'mcp_tool_use_id',
  'custom_tool_use_id',
  'evaluated_permission',
  'stop_reason',
  'requires_action_details',
  'model_request_start_id',
  'outcome_evaluation_start_id',
  'outcome_id',
  'iteration',
  'description',
  'result',
  'explanation',
  'title',
  'agent',
  'budget',
  'usage',
  'model_usage',
]);

/** Fields that say when: what a user sends gets them later, and nothing else goes by them. */
const times = new Set(['processed_at', 'created_at', 'timestamp', 'processed_at_ms', 'ts']);

/** Fields that an event has another value in than before. */
export function changedFields(before: TranscriptEvent, after: TranscriptEvent): readonly string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].filter(field => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

/** Whether more than the event's own row goes by these fields of it. */
export function isStructural(type: string, changed: readonly string[]): boolean {
  // What a session is called by are the words of its first message.
  const isWords = type === 'user.message' && changed.includes('content');
  return isWords || changed.some(field => structural.has(field) || (times.has(field) && !sentTypes.has(type)));
}
