import * as z from 'zod';
import { agentSnapshotSchema } from './agents';
import { metadataSchema, optionalNumbers, optionalTexts, timeFields } from './commonFields';

/** Amount of money: `amount` is whole cents of `currency` as text (API facts, section 7). */
export const monetaryAmountSchema = z.looseObject({ amount: z.string(), currency: z.string().nullish() });
export type MonetaryAmount = z.infer<typeof monetaryAmountSchema>;

/** Cumulative token counts of a session or a thread. An absent count is unknown, not 0. */
export const sessionUsageSchema = z.looseObject({
  ...optionalNumbers('input_tokens', 'output_tokens', 'cache_read_input_tokens', 'active_seconds'),
  cache_creation: z
    .looseObject({ ephemeral_1h_input_tokens: z.number().nullish(), ephemeral_5m_input_tokens: z.number().nullish() })
    .nullish(),
  list_cost: monetaryAmountSchema.nullish(),
  server_tool_use: z.looseObject({ web_search_requests: z.number().nullish(), web_fetch_requests: z.number().nullish() }).nullish(),
});
export type SessionUsage = z.infer<typeof sessionUsageSchema>;

export const sessionStatsSchema = z.looseObject(optionalNumbers('duration_seconds', 'active_seconds', 'startup_seconds'));

/** Spending limit of a session: `{type: "limit", max_list_cost}`. Any other shape is accepted (contract: not shown). */
export const budgetSchema = z.looseObject({ type: z.string().nullish(), max_list_cost: monetaryAmountSchema.nullish() });
export type Budget = z.infer<typeof budgetSchema>;

/** Judgement of the service on one outcome (contract, Outcome evaluation). `result` is any string. */
export const outcomeEvaluationSchema = z.looseObject({
  ...optionalTexts('type', 'outcome_id', 'description', 'result', 'completed_at', 'explanation'),
  iteration: z.number().nullish(),
});

/**
 * Resource mounted into a session: `file`, a repository or `memory_store`. Any other `type` is accepted. A memory store has no `id` of its
 * own there (API facts, section 7). A repository never has its token.
 */
export const sessionResourceSchema = z.looseObject({
  type: z.string(),
  ...optionalTexts('id', 'file_id', 'url', 'memory_store_id', 'name', 'instructions', 'mount_path', 'created_at', 'updated_at'),
  checkout: z.looseObject({ type: z.string().nullish(), name: z.string().nullish(), sha: z.string().nullish() }).nullish(),
  /** `read_write`, `read_only` or any other string. */
  access: z.string().nullish(),
});
export type SessionResource = z.infer<typeof sessionResourceSchema>;

/**
 * Session (contract, Session). Only `id` is required: servers leave fields out. `status` is any string: the contract names `rescheduling`,
 * `running`, `idle` and `terminated`. Only `archived_at` says that a session is archived, never `status`.
 */
export const sessionSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('session'),
  ...optionalTexts('status', 'title', 'environment_id', 'deployment_id'),
  ...timeFields,
  metadata: metadataSchema.nullish(),
  agent: agentSnapshotSchema.nullish(),
  resources: z.array(sessionResourceSchema).nullish(),
  vault_ids: z.array(z.string()).nullish(),
  usage: sessionUsageSchema.nullish(),
  stats: sessionStatsSchema.nullish(),
  budget: budgetSchema.nullish(),
  outcome_evaluations: z.array(outcomeEvaluationSchema).nullish(),
});
export type Session = z.infer<typeof sessionSchema>;

/** Thread of a session. Every session has one primary thread, whose `parent_thread_id` is null. */
export const sessionThreadSchema = z.looseObject({
  id: z.string().min(1),
  type: z.string().default('session_thread'),
  ...optionalTexts('session_id', 'status', 'parent_thread_id'),
  agent: z.looseObject({ id: z.string().nullish(), name: z.string().nullish(), type: z.string().nullish() }).nullish(),
  ...timeFields,
  usage: sessionUsageSchema.nullish(),
  stats: sessionStatsSchema.nullish(),
});
export type SessionThread = z.infer<typeof sessionThreadSchema>;

/** Response to deleting something or removing a resource: the deleted id. */
export const deletedSchema = z.looseObject({ id: z.string(), type: z.string().nullish() });
export type Deleted = z.infer<typeof deletedSchema>;
