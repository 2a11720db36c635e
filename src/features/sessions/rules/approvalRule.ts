import * as z from 'zod';
import { parseReadingCommand } from './readingCommands';

const text = z.string().min(1).max(4096);
const field = z.string().min(1).max(200);

/** Values of one argument that a rule matches. */
const pattern = z.discriminatedUnion('match', [
  /** Exactly this JSON value. */
  z.strictObject({ field, match: z.literal('equals'), value: z.json() }),
  /** One command that starts with these words and only reads (`parseReadingCommand`). */
  z.strictObject({ field, match: z.literal('command'), words: text }),
  /** One command that starts with these words, whatever its other arguments run or write. */
  z.strictObject({ field, match: z.literal('anyArguments'), words: text }),
  /** Path of a file in this folder. A rule that allows matches only ordinary files (`isOrdinaryFile`). */
  z.strictObject({ field, match: z.literal('folder'), folder: text }),
  /** Only in rules that deny: a text that contains this one. */
  z.strictObject({ field, match: z.literal('contains'), text }),
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
  .refine(rule => new Set(rule.fields.map(each => each.field)).size === rule.fields.length)
  .refine(rule => rule.result === 'deny' || rule.fields.every(({ match }) => match !== 'contains'));

/** A rule that answers asks for permission on this machine. A rule that allows names every field that a call may have. */
export type ApprovalRule = z.infer<typeof ruleSchema>;
export type FieldPattern = ApprovalRule['fields'][number];

/** Parses the file of a rule. Throws unless the text is exactly one valid rule. */
export function parseRule(json: string): ApprovalRule {
  const rule = ruleSchema.parse(JSON.parse(json));
  return { ...rule, fields: rule.fields.map(pattern => narrow(pattern, rule.result)) };
}

/**
 * Narrows a pattern of an older rule: `command` meant any arguments before there was `anyArguments`. A rule that allows now allows exactly these
 * words, unless they start a command that only reads. A rule that denies still denies the same.
 */
function narrow(pattern: FieldPattern, result: ApprovalRule['result']): FieldPattern {
  if (pattern.match !== 'command') {
    return pattern;
  }
  const { field, words } = pattern;
  return result === 'deny'
    ? { field, match: 'anyArguments', words }
    : parseReadingCommand(words) === undefined
      ? { field, match: 'equals', value: words }
      : pattern;
}
