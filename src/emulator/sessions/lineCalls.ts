import type { WireObject } from '../http/toWire';
import { randomId } from '../state/recordStore';
import type { Line } from './line';
import { type Answer, textOf } from './sentEvents';
import type { AgentSnapshot, OpenCall } from './sessionRecord';

/** Tool call of a script, and its future result. */
export interface ToolCall {
  readonly kind: 'builtin' | 'mcp' | 'custom';
  readonly name: string;
  readonly server?: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result?: string | readonly WireObject[];
  readonly isError?: boolean;
  /** True if the call needs approval regardless of the agent's permissions. */
  readonly alwaysAsks?: boolean;
  /** True if the policy `auto` applies, regardless of the agent's permissions. */
  readonly isJudged?: boolean;
}

export type Permission = 'allow' | 'ask' | 'deny';

/** Permission of a call. `reason` is set if the service made the decision itself and did not allow the call. */
export interface Judgement {
  readonly permission: Permission;
  readonly isAuto: boolean;
  readonly reason?: 'high_risk' | 'indeterminate';
}

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
 * Returns the permission of a call by the agent's toolsets. By default, tools of MCP servers need approval and unknown tools are allowed.
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

export function toBlocks(result: ToolCall['result'] = []): WireObject[] {
  return typeof result === 'string' ? [{ type: 'text', text: result }] : [...result];
}

/** Tool calls of a thread: their events, their approvals and their results. */
export class LineCalls {
  readonly #unanswered = new Map<string, StoredCall>();

  constructor(private readonly line: Line) {}

  get unanswered(): readonly StoredCall[] {
    return [...this.#unanswered.values()];
  }

  /** Stores the events of calls. `finish` runs the calls. */
  async make(...calls: readonly ToolCall[]): Promise<readonly StoredCall[]> {
    const created: StoredCall[] = [];
    for (const call of calls) {
      await this.line.pause(0.5);
      this.line.countWritten(JSON.stringify(call.input).length);
      const judgement = judge(this.line.agent, call);
      const one: StoredCall = {
        ...this.#emitUse(call, judgement),
        kind: call.kind,
        name: call.name,
        permission: judgement.permission,
        reason: judgement.reason,
        result: toBlocks(call.result),
        isError: call.isError ?? false,
      };
      this.#unanswered.set(one.eventId, one);
      created.push(one);
    }
    return created;
  }

  /** Waits for the client's answers to the calls, runs the allowed calls, and stores the results. */
  async finish(calls: readonly StoredCall[]): Promise<readonly CallOutcome[]> {
    const open = calls.flatMap((call): OpenCall[] => {
      const waitsFor = call.kind === 'custom' ? 'customResult' : call.permission === 'ask' ? 'permission' : undefined;
      return waitsFor === undefined ? [] : [this.#toOpenCall(call, waitsFor)];
    });
    const answers = open.length === 0 ? new Map<string, Answer>() : await this.line.turn.wait(this.line, open);
    const outcomes: CallOutcome[] = [];
    for (const call of calls) {
      outcomes.push(await this.#finishOne(call, answers.get(call.eventId)));
    }
    return outcomes;
  }

  emitResult(call: StoredCall, content: readonly WireObject[], isError: boolean): void {
    this.#unanswered.delete(call.eventId);
    if (call.kind !== 'custom') {
      const isMcp = call.kind === 'mcp';
      const fields = { [isMcp ? 'mcp_tool_use_id' : 'tool_use_id']: call.resultOf, content, is_error: isError };
      this.line.session.emit(this.line.thread, isMcp ? 'agent.mcp_tool_result' : 'agent.tool_result', fields);
    }
  }

  /** Continues calls of an earlier run of the emulator. */
  adopt(calls: readonly StoredCall[]): void {
    for (const call of calls) {
      this.#unanswered.set(call.eventId, call);
    }
  }

  #takeResult(call: StoredCall, answer: Answer | undefined): CallOutcome {
    this.#unanswered.delete(call.eventId);
    return { isAllowed: true, isError: answer?.isError ?? false, text: textOf(answer?.content) };
  }

  async #finishOne(call: StoredCall, answer: Answer | undefined): Promise<CallOutcome> {
    if (call.permission === 'deny') {
      const { name, reason } = call;
      return this.#deny(
        call,
        reason === undefined ? `The tool ${name} is not enabled for this agent.` : `The service denied this call: ${reason}.`,
      );
    }
    if (answer?.content !== undefined) {
      return this.#takeResult(call, answer);
    }
    if (answer?.isAllowed === false) {
      return this.#deny(call, `The user denied this call${answer.denyMessage ? `: ${answer.denyMessage}` : '.'}`);
    }
    if (call.kind === 'builtin' && this.line.session.record.isSelfHosted) {
      // The client runs the built-in tools.
      const results = await this.line.turn.wait(this.line, [this.#toOpenCall(call, 'toolResult')]);
      return this.#takeResult(call, results.get(call.eventId));
    }
    await this.line.pause();
    this.emitResult(call, call.result, call.isError);
    return { isAllowed: true, isError: call.isError, text: textOf(call.result) };
  }

  #deny(call: StoredCall, text: string): CallOutcome {
    this.emitResult(call, [{ type: 'text', text }], true);
    return { isAllowed: false, isError: true, text };
  }

  #emitUse(call: ToolCall, { permission, isAuto, reason }: Judgement): Pick<StoredCall, 'eventId' | 'resultOf'> {
    const { name, input, kind, server } = call;
    const type = kind === 'custom' ? 'agent.custom_tool_use' : kind === 'mcp' ? 'agent.mcp_tool_use' : 'agent.tool_use';
    const asks = permission === 'ask';
    const evaluated = { type: permission, ...(reason === undefined ? {} : { reason_code: reason }) };
    const judged = {
      evaluated_permission: permission,
      ...(isAuto ? { evaluation: { type: 'auto', evaluated_permission: evaluated } } : {}),
    };
    const threadField = this.line.isPrimary ? {} : { session_thread_id: this.line.thread.id };
    const fields = { name, input, ...(kind === 'mcp' ? { mcp_server_name: server } : {}), ...threadField };
    if (kind === 'builtin' && this.line.session.parts.style().showsModelsCalls) {
      const id = `toolu_${randomId(12)}`;
      const shown = { ...fields, tool_name: name, tool_use_id: id };
      const first = this.line.emit(type, shown);
      return { eventId: asks ? this.line.emit(type, { ...shown, ...judged }, true) : first, resultOf: id };
    }
    const eventId = this.line.emit(type, kind === 'custom' ? fields : { ...fields, ...judged }, asks || kind === 'custom');
    return { eventId, resultOf: eventId };
  }

  #toOpenCall({ permission: _, reason: __, ...call }: StoredCall, waitsFor: OpenCall['waitsFor']): OpenCall {
    return { ...call, threadId: this.line.thread.id, waitsFor };
  }
}
