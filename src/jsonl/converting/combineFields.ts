import type { RawJson } from './rawJson';

/** Records a loss or change under the path of a field. */
export type Note = (key: string, template: string, ...args: readonly (string | number)[]) => void;

/** Parts of `output_config`, `metadata` and other fields that combine several source fields. */
export interface CombinedFields {
  effort?: string;
  format?: string;
  userId?: string;
  choice?: string;
}

/** Returns the fields that combine several source fields. `fields` are the fields that already exist. */
export function combineFields(
  body: RawJson,
  gathered: CombinedFields,
  fields: readonly [string, string][],
  note: Note,
): [string, string][] {
  const { effort, format, userId, choice } = gathered;
  const has = (name: string) => fields.some(([field]) => field === name);
  const made: [string, string][] = [];
  const parallel = body.given('parallel_tool_calls')?.value;
  const isSerial = parallel === false;
  if ((isSerial && !has('tools')) || (parallel !== undefined && typeof parallel !== 'boolean')) {
    note('parallel_tool_calls', 'Not supported, left out.');
  }
  if (has('tools') && (choice !== undefined || isSerial)) {
    const chosen = choice ?? '{"type":"auto"}';
    const canSay = isSerial && !chosen.includes('"none"') && !chosen.includes('disable_parallel_tool_use');
    made.push(['tool_choice', canSay ? `${chosen.slice(0, -1)},"disable_parallel_tool_use":true}` : chosen]);
  } else if (choice !== undefined && choice !== '{"type":"auto"}' && choice !== '{"type":"none"}') {
    note('tool_choice', 'Not supported, left out.');
  }
  if (effort !== undefined || format !== undefined) {
    if (has('output_config')) {
      note(effort === undefined ? 'response_format' : 'reasoning_effort', 'Not supported, left out.');
    } else {
      const parts = [effort === undefined ? [] : [`"effort":${effort}`], format === undefined ? [] : [`"format":${format}`]].flat();
      made.push(['output_config', `{${parts.join(',')}}`]);
    }
  }
  if (userId !== undefined) {
    made.push(['metadata', `{"user_id":${userId}}`]);
  }
  return made;
}
