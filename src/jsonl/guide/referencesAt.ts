import type { Path } from './cursorPosition';
import { type LooseValue, memberOf, memberText } from './looseJson';

/** Returns names and ids defined elsewhere in the request that the value at `path` can refer to. */
export function referencesAt(source: string, root: LooseValue | undefined, path: Path): readonly string[] {
  const params = memberOf(source, root, 'params')?.value ?? root;
  const last = path.at(-1);
  const parent = path.at(-2);
  if (last === 'name' && parent === 'tool_choice') {
    return textsOf(source, memberOf(source, params, 'tools')?.value, 'name');
  }
  if (last === 'mcp_server_name' || last === 'server_name') {
    return textsOf(source, memberOf(source, params, 'mcp_servers')?.value, 'name');
  }
  if (last === 'tool_use_id') {
    return (memberOf(source, params, 'messages')?.value?.items ?? [])
      .flatMap(message => memberOf(source, message, 'content')?.value?.items ?? [])
      .filter(block => memberText(source, block, 'type')?.endsWith('tool_use'))
      .flatMap(block => memberText(source, block, 'id') ?? [])
      .reverse();
  }
  return [];
}

function textsOf(source: string, list: LooseValue | undefined, field: string): readonly string[] {
  return [...new Set((list?.items ?? []).flatMap(item => memberText(source, item, field) ?? []))];
}
