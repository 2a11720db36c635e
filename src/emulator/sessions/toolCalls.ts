import type { AgentSnapshot } from './sessionRecord';

/** Block of a tool's result or of a message. */
export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Tool call of a script, and its future result. */
export interface ToolCall {
  readonly kind: 'builtin' | 'mcp' | 'custom';
  readonly name: string;
  /** MCP server of the tool. */
  readonly server?: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Text or blocks. */
  readonly result?: string | readonly ContentBlock[];
  readonly isError?: boolean;
  /** Needs approval whatever the agent's permissions are. */
  readonly alwaysAsks?: boolean;
}

export type Permission = 'allow' | 'ask' | 'deny';

/** Call whose event was stored. */
export interface StoredCall {
  readonly eventId: string;
  readonly kind: ToolCall['kind'];
  readonly name: string;
  readonly permission: Permission;
  /** Id by which the result refers to its call. */
  readonly resultOf: string;
  readonly result: readonly ContentBlock[];
  readonly isError: boolean;
}

export interface CallOutcome {
  readonly isAllowed: boolean;
  readonly isError: boolean;
  readonly text: string;
}

interface Config {
  readonly name?: unknown;
  readonly enabled?: unknown;
  readonly permission_policy?: { readonly type?: unknown };
}

/**
 * Returns the permission of a call by the agent's toolsets. By default, tools of MCP servers need approval and unknown ones are allowed.
 */
export function permissionOf(agent: AgentSnapshot, call: ToolCall): Permission {
  if (call.alwaysAsks === true) {
    return 'ask';
  }
  const toolset = agent.tools.find(tool =>
    call.kind === 'mcp'
      ? tool.type === 'mcp_toolset' && tool.mcp_server_name === call.server
      : call.kind === 'builtin' && tool.type === 'agent_toolset_20260401',
  ) as { readonly configs?: readonly Config[]; readonly default_config?: Config } | undefined;
  if (toolset === undefined) {
    return call.kind === 'mcp' ? 'ask' : 'allow';
  }
  const config = toolset.configs?.find(({ name }) => name === call.name) ?? toolset.default_config;
  if (config?.enabled === false) {
    return 'deny';
  }
  return config?.permission_policy?.type === 'always_ask' ? 'ask' : 'allow';
}

/** Converts a result that is text or blocks to blocks. */
export function toBlocks(result: ToolCall['result']): readonly ContentBlock[] {
  return typeof result === 'string' ? [{ type: 'text', text: result }] : (result ?? []);
}
