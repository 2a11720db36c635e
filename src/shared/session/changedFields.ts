import type { TranscriptEvent } from './event';
import { sentTypes } from './ownEvents';

/** Fields that link events to each other or describe the session. A change in one of them can affect other rows. */
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

/** Time fields. Events that a user sends get them later. No other row depends on those, except on the time of an interrupt. */
const times = new Set(['processed_at', 'created_at', 'timestamp', 'processed_at_ms', 'ts']);

export function changedFields(before: TranscriptEvent, after: TranscriptEvent): readonly string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...fields].filter(field => JSON.stringify(before[field]) !== JSON.stringify(after[field]));
}

/** Returns whether a change of these fields can affect more than the event's own row. */
export function isStructural(type: string, changed: readonly string[]): boolean {
  // The first message serves as the session's name.
  const isWords = type === 'user.message' && changed.includes('content');
  const isOwnTime = sentTypes.has(type) && type !== 'user.interrupt';
  return isWords || changed.some(field => structural.has(field) || (times.has(field) && !isOwnTime));
}
