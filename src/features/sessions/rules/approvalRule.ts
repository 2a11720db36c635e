import * as z from 'zod';
import { parseReadingCommand } from './readingCommands';

const text = z.string().min(1).max(4096);
const field = z.string().min(1).max(200);

/** Values of one argument that a rule matches. */
const pattern = z.discriminatedUnion('match', [
  /** Exactly this JSON value. */
  z.strictObject({ field, match: z.literal('equals'), value: z.json() }),
  /** One command that starts with these words and only reads. The words alone must be such a command. */
  z.strictObject({ field, match: z.literal('command'), words: text.refine(words => parseReadingCommand(words) !== undefined) }),
  /** Path of a file in this folder. An allowing rule matches only ordinary files (`isOrdinaryFile`). */
  z.strictObject({ field, match: z.literal('folder'), folder: text }),
  z.strictObject({ field, match: z.literal('anything') }),
]);

const ruleSchema = z
  .strictObject({
    version: z.literal(1),
    id: z.uuid(),
    name: z.string().min(1).max(100),
    isOn: z.boolean(),
    result: z.enum(['allow', 'deny']),
    /** Name and address of a connection. */
    connection: z.string().min(1).max(512),
    service: z.string().min(1).max(4096),
    /** Limits the rule to one session. */
    session: z.string().min(1).max(512).optional(),
    /** Limits the rule to one agent. */
    agent: z.string().min(1).max(512).optional(),
    tool: z.string().min(1).max(512),
    /** The MCP server of the tool. Missing for a tool of the service. */
    server: z.string().min(1).max(512).optional(),
    fields: z.array(pattern).max(64),
    createdAt: z.string().max(64),
  })
  .refine(rule => new Set(rule.fields.map(each => each.field)).size === rule.fields.length);

/** A rule that answers asks for permission on this machine. An allowing rule names every field that a call may have. */
export type ApprovalRule = z.infer<typeof ruleSchema>;
export type FieldPattern = ApprovalRule['fields'][number];

/** Parses the file of a rule. Throws unless the text is exactly one valid rule. */
export function parseRule(json: string): ApprovalRule {
  return ruleSchema.parse(JSON.parse(json));
}
