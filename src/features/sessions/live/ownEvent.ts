/** An event of the user, as sent (API facts, 8.1). */
export type OwnEvent =
  | { readonly type: 'user.message'; readonly content: readonly object[] }
  | { readonly type: 'user.interrupt'; readonly session_thread_id?: string }
  | {
      readonly type: 'user.tool_confirmation';
      readonly tool_use_id: string;
      readonly result: 'allow' | 'deny';
      readonly deny_message?: string;
      readonly session_thread_id?: string;
    }
  | {
      readonly type: 'user.custom_tool_result';
      readonly custom_tool_use_id: string;
      readonly content: readonly object[];
      readonly is_error: boolean;
      readonly session_thread_id?: string;
    }
  | {
      readonly type: 'user.define_outcome';
      readonly description: string;
      readonly rubric: { readonly type: 'text'; readonly content: string };
      readonly max_iterations?: number;
    };

/**
 * Returns whether an event of the log equals a sent one in its identifying fields. A service may add fields and may format content
 * differently.
 */
export function saysTheSame(sent: OwnEvent, logged: { readonly type: string; readonly [field: string]: unknown }): boolean {
  if (sent.type !== logged.type) {
    return false;
  }
  switch (sent.type) {
    case 'user.message':
      return textOf(sent.content) === textOf(logged.content);
    case 'user.interrupt':
      return true;
    case 'user.tool_confirmation':
      return sent.tool_use_id === logged.tool_use_id;
    case 'user.custom_tool_result':
      return sent.custom_tool_use_id === logged.custom_tool_use_id;
    case 'user.define_outcome':
      return sent.description === logged.description;
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') {
    return content;
  }
  return Array.isArray(content)
    ? content.map(block => (typeof block?.text === 'string' ? block.text : JSON.stringify({ ...block, type: block?.type }))).join('\n')
    : '';
}
