import * as z from 'zod';

const text = z.string().min(1).max(4096);
const field = z.string().min(1).max(200);

/** What a rule wants of one field of a call's arguments. */
const pattern = z.discriminatedUnion('match', [
  /** Exactly this JSON value. */
  z.strictObject({ field, match: z.literal('equals'), value: z.json() }),
  /** One simple command that begins with these words. */
  z.strictObject({ field, match: z.literal('command'), words: text }),
  /** A path in this folder. */
  z.strictObject({ field, match: z.literal('folder'), folder: text }),
  /** Only to deny: a text that holds this one anywhere. */
  z.strictObject({ field, match: z.literal('contains'), text }),
  /** Whatever it is. */
  z.strictObject({ field, match: z.literal('anything') }),
]);

const ruleSchema = z
  .strictObject({
    version: z.literal(1),
    id: z.uuid(),
    name: z.string().min(1).max(100),
    isOn: z.boolean(),
    result: z.enum(['allow', 'deny']),
    /** Name of a connection, and where it leads. */
    connection: z.string().min(1).max(512),
    service: z.string().min(1).max(4096),
    /** Only in this session. */
    session: z.string().min(1).max(512).optional(),
    /** Only calls of this agent; of any where it is absent. */
    agent: z.string().min(1).max(512).optional(),
    tool: z.string().min(1).max(512),
    /** The MCP server of the tool; absent for a tool of the service. */
    server: z.string().min(1).max(512).optional(),
    fields: z.array(pattern).max(64),
    createdAt: z.string().max(64),
  })
  .refine(rule => new Set(rule.fields.map(each => each.field)).size === rule.fields.length)
  .refine(rule => rule.result === 'deny' || rule.fields.every(({ match }) => match !== 'contains'));

/** A rule that answers asks for permission on this machine. What allows names every field that a call may have. */
export type ApprovalRule = z.infer<typeof ruleSchema>;
export type FieldPattern = ApprovalRule['fields'][number];

/** A rule out of the text of its file. Throws when it is not exactly one: what cannot be read whole decides nothing. */
export function parseRule(json: string): ApprovalRule {
  return ruleSchema.parse(JSON.parse(json));
}
