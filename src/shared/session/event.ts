/** An event as the service sent it. Any field except `type` may be missing or have an unexpected type. */
export interface TranscriptEvent {
  readonly type: string;
  readonly id?: string | null;
  readonly [field: string]: unknown;
}

/** Types of events in which the agent calls a tool. */
export const callTypes = ['agent.tool_use', 'agent.mcp_tool_use', 'agent.custom_tool_use'] as const;

/** Types of events with the result of a call. */
export const resultTypes = ['agent.tool_result', 'agent.mcp_tool_result', 'user.tool_result', 'user.custom_tool_result'] as const;

/** Types of events of a workflow run, except its errors. */
export const runTypes = [
  ...(['workflow_run.created', 'workflow_run.status_running', 'workflow_run.status_idle', 'workflow_run.status_ended'] as const),
  ...(['workflow_run.phase_started', 'workflow_run.phase_ended'] as const),
];

/** Types of events of an outcome's evaluation. */
export const evaluationTypes = ['span.outcome_evaluation_start', 'span.outcome_evaluation_ongoing', 'span.outcome_evaluation_end'] as const;

/** Returns entries of a table by event type, with the same value for each type. */
export function forTypes<T>(types: readonly string[], value: T): readonly (readonly [type: string, value: T])[] {
  return types.map(type => [type, value]);
}
