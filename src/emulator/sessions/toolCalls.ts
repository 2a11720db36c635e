import type { AgentSnapshot, OpenCall } from './sessionRecord';

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
  readonly result?: string | readonly ContentBlock[];
  readonly isError?: boolean;
  /** True if it needs approval whatever the agent's permissions are. */
  readonly alwaysAsks?: boolean;
  /** True if the policy `auto` applies, whatever the agent's permissions are. */
  readonly isJudged?: boolean;
}

export type Permission = 'allow' | 'ask' | 'deny';

/** Permission of a call. `reason` is set if the service made the decision itself and did not allow the call. */
export interface Judgement {
  readonly permission: Permission;
  readonly isAuto: boolean;
  readonly reason?: 'high_risk' | 'indeterminate';
}

/** Call whose event was stored. */
export type StoredCall = Omit<OpenCall, 'threadId' | 'waitsFor'> & {
  readonly permission: Permission;
  /** Reason why the service denied the call or asks for approval. */
  readonly reason?: string | undefined;
};

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

/** Commands that the policy `auto` denies, and commands for which it asks for approval. */
const risky = /\brm -rf\b|--force\b|\| *(?:ba)?sh\b/;
const unclear = /\b(?:deploy|publish|push)\b/;

/** Returns the permission of a call, and whether the service decided it itself by the policy `auto` (API facts, section 12). */
export function judge(agent: AgentSnapshot, call: ToolCall): Judgement {
  const permission = call.isJudged === true ? 'auto' : permissionOf(agent, call);
  if (permission !== 'auto') {
    return { permission, isAuto: false };
  }
  const input = JSON.stringify(call.input);
  if (risky.test(input)) {
    return { permission: 'deny', isAuto: true, reason: 'high_risk' };
  }
  return unclear.test(input) ? { permission: 'ask', isAuto: true, reason: 'indeterminate' } : { permission: 'allow', isAuto: true };
}

/**
 * Returns the permission of a call by the agent's toolsets. By default, tools of MCP servers need approval and unknown ones are allowed.
 */
function permissionOf(agent: AgentSnapshot, call: ToolCall): Permission | 'auto' {
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
  const policy = config?.permission_policy?.type;
  return policy === 'always_ask' ? 'ask' : policy === 'auto' ? 'auto' : 'allow';
}

/** Converts a result that is text or blocks to blocks. */
export function toBlocks(result: ToolCall['result'] = []): ContentBlock[] {
  return typeof result === 'string' ? [{ type: 'text', text: result }] : [...result];
}
