import { closeName } from '../../contract/closeName';
import { asArray, asString, type Finding, fieldOf, found, type Subject } from './finding';

/**
 * Finds `duplicate-tool`, `duplicate-server`, `tool-not-defined` and `server-not-defined`: names that don't match exactly one definition.
 */
export function* findTools(subject: Subject): Iterable<Finding> {
  const { params, paramsPath } = subject;
  const tools = asArray(params.tools);
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const name = asString(fieldOf(tool, 'name'));
    if (name !== undefined && names.has(name)) {
      const text = 'Another tool has the same name.';
      yield found('duplicate-tool', [...paramsPath, 'tools', index, 'name'], text);
    } else if (name !== undefined) {
      names.add(name);
    }
  }
  yield* findChoice(subject, tools, names);
  yield* findServers(subject, tools);
}

function* findChoice({ params, paramsPath }: Subject, tools: readonly unknown[], names: ReadonlySet<string>): Iterable<Finding> {
  const type = fieldOf(params.tool_choice, 'type');
  const name = asString(fieldOf(params.tool_choice, 'name'));
  const path = [...paramsPath, 'tool_choice'];
  if ((type === 'any' || type === 'tool') && tools.length === 0) {
    yield found('tool-not-defined', path, '"tool_choice" forces a tool, but there are no tools.');
  } else if (type === 'tool' && name !== undefined && !names.has(name)) {
    const suggestion = closeName(name, names);
    yield suggestion === undefined
      ? found('tool-not-defined', [...path, 'name'], 'No tool has this name.')
      : found('tool-not-defined', [...path, 'name'], 'No tool has this name. Did you mean {0}?', [suggestion], { hint: { suggestion } });
  }
}

function* findServers({ params, paramsPath }: Subject, tools: readonly unknown[]): Iterable<Finding> {
  const servers = new Set<string>();
  for (const [index, server] of asArray(params.mcp_servers).entries()) {
    const name = asString(fieldOf(server, 'name'));
    if (name !== undefined && servers.has(name)) {
      const text = 'Another server has the same name.';
      yield found('duplicate-server', [...paramsPath, 'mcp_servers', index, 'name'], text);
    } else if (name !== undefined) {
      servers.add(name);
    }
  }
  for (const [index, tool] of tools.entries()) {
    const name = fieldOf(tool, 'type') === 'mcp_toolset' ? asString(fieldOf(tool, 'mcp_server_name')) : undefined;
    if (name !== undefined && !servers.has(name)) {
      const suggestion = closeName(name, servers);
      const path = [...paramsPath, 'tools', index, 'mcp_server_name'];
      yield suggestion === undefined
        ? found('server-not-defined', path, 'No server in "mcp_servers" has this name.')
        : found('server-not-defined', path, 'No server in "mcp_servers" has this name. Did you mean {0}?', [suggestion], {
            hint: { suggestion },
          });
    }
  }
}
