import type { AgentSnapshot } from './sessionRecord';

/** A block of a tool's result or of a message. */
export interface ContentBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A tool that a script calls, and what it will have answered. */
export interface ToolCall {
  readonly kind: 'builtin' | 'mcp' | 'custom';
  readonly name: string;
  /** The MCP server of the tool. */
  readonly server?: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** A text, or blocks. */
  readonly result?: string | readonly ContentBlock[];
  readonly isError?: boolean;
  /** Asks whatever the agent's permissions say. */
  readonly alwaysAsks?: boolean;
}

export type Permission = 'allow' | 'ask' | 'deny';

/** A call whose event was stored. */
export interface MadeCall {
  readonly eventId: string;
  readonly kind: ToolCall['kind'];
  readonly name: string;
  readonly permission: Permission;
  /** What the result names as its call. */
  readonly resultOf: string;
  readonly result: readonly ContentBlock[];
  readonly isError: boolean;
}

/** How a call ended. */
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

/** What the agent's toolsets say of a call: tools of MCP servers ask unless told otherwise, an unknown one is allowed. */
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

/** Blocks of a result that was given as text or as blocks. */
export function toBlocks(result: ToolCall['result']): readonly ContentBlock[] {
  return typeof result === 'string' ? [{ type: 'text', text: result }] : (result ?? []);
}
