import { newEventId } from '../eventLog';
import type { UnstoredEvent } from '../storedSession';

/** Returns `count` events of a storm, numbered from `from`: messages, thoughts, and tool calls, each followed by its result. */
export function stormEvents(from: number, count: number): readonly UnstoredEvent[] {
  const events: UnstoredEvent[] = [];
  for (let n = from; events.length < count; n++) {
    const id = newEventId();
    const kind = n % 5;
    if (kind === 1) {
      events.push({ type: 'agent.thinking', id });
    } else if (kind === 3 && events.length + 1 < count) {
      events.push({ type: 'agent.tool_use', id, name: 'read', input: { file_path: `src/file${n}.ts` }, evaluated_permission: 'allow' });
      const content = [{ type: 'text', text: `File ${n} has ${n % 400} lines.` }];
      events.push({ type: 'agent.tool_result', id: newEventId(), tool_use_id: id, content, is_error: n % 50 === 3 });
    } else {
      events.push({ type: 'agent.message', id, content: [{ type: 'text', text: `Event ${n} of the storm.` }] });
    }
  }
  return events;
}
