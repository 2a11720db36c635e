import type { DialectName } from '../../client/dialect';
import { isRecord } from '../../shared/isRecord';

type Fields = Readonly<Record<string, unknown>>;

const yes = { supported: true };
const no = { supported: false };

/** Fields that newer services add to an object, keyed by its `type` (API facts, section 19). */
const newerFields: Readonly<Record<string, (object: Fields) => Fields>> = {
  // References to agents have the same type, but no tools and no identity.
  agent: agent => ('tools' in agent ? { execution_identity: { type: 'service_account' } } : {}),
  web_fetch: config => ('permission_policy' in config ? { url_sources: null } : {}),
  model: model => ('display_name' in model ? modelFields(model) : {}),
  session_thread: workflowRun,
  'session.thread_created': workflowRun,
  'session.status_idle': stopDetails,
  'session.thread_status_idle': stopDetails,
  'agent.tool_use': evaluation,
  'agent.mcp_tool_use': evaluation,
};

/** Fields that all vendor services add, keyed by `type`. A toolset has the type of each configured tool. */
const vendorFields: typeof newerFields = {
  agent_toolset_20260401: ({ configs }) =>
    Array.isArray(configs) ? { configs: configs.map((config: Fields) => ({ type: config.name, ...config })) } : {},
};

const fieldsOfEra: Readonly<Record<DialectName, typeof newerFields | undefined>> = {
  contract: undefined,
  'anthropic-2023': vendorFields,
  'anthropic-2026': { ...vendorFields, ...newerFields },
};

/** Returns the JSON of a response or event as services of the dialect write it, with the fields of their era added at any depth. */
export function toEraJson(value: unknown, dialect: DialectName): string {
  const fields = fieldsOfEra[dialect];
  return fields === undefined
    ? JSON.stringify(value)
    : JSON.stringify(value, (_, part: unknown) => (isRecord(part) ? { ...part, ...addedTo(part, fields) } : part));
}

function addedTo(object: Fields, fields: typeof newerFields): Fields | undefined {
  const { type } = object;
  return typeof type === 'string' && Object.hasOwn(fields, type) ? fields[type]?.(object) : undefined;
}

function workflowRun({ workflow_run_id: id = null }: Fields): Fields {
  return { workflow_run_id: id };
}

function stopDetails({ stop_reason: reason }: Fields): Fields {
  const isRefusal = (reason as Fields | undefined)?.type === 'refusal';
  const explanation = 'Emulated refusal, asked for by the message.';
  return { stop_details: isRefusal ? { type: 'refusal', category: 'general_harms', explanation } : null };
}

function evaluation({ evaluated_permission: permission, evaluation: own }: Fields): Fields {
  if (own !== undefined) {
    return {};
  }
  switch (permission) {
    case 'allow':
    case 'ask':
      return { evaluation: { type: `always_${permission}` } };
    case 'deny':
      return { evaluation: { type: 'auto', evaluated_permission: { type: 'deny', reason_code: 'tool_disabled' } } };
    default:
      return {};
  }
}

function modelFields({ id, capabilities }: Fields): Fields {
  const { thinking, ...others } = capabilities as { readonly thinking: { readonly types: Fields } };
  const isDeprecated = String(id).endsWith('mythos-preview');
  return {
    line: /haiku|sonnet|opus|fable|mythos/.exec(String(id))?.[0] ?? null,
    lifecycle: isDeprecated ? 'deprecated' : 'active',
    deprecated_at: isDeprecated ? '2026-05-30T00:00:00Z' : null,
    retires_at: isDeprecated ? '2026-06-30T00:00:00Z' : null,
    capabilities: {
      ...others,
      compaction: null,
      server_tools: { supported: true, code_execution: no, web_search: yes },
      thinking: { ...thinking, types: { ...thinking.types, between_tools: yes, disabled: yes } },
    },
  };
}
