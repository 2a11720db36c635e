import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { undefinedIfMissing } from '../../../common/files/undefinedIfMissing';
import { WholeFile } from '../../../jsonl/files/wholeFile';
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

const end = '.rule.json';
const maxRules = 200;
const longest = 1_000_000;

/** The rules of this machine, one file each so that windows don't overwrite each other. Read again for every decision. */
export class RuleFiles {
  /** `folder` is created with the first rule. `onChange` is called after each change of this window. */
  constructor(
    readonly folder: string,
    private readonly onChange: () => void = () => undefined,
  ) {}

  /**
   * Returns all rules in order of creation. `damaged` are the paths of invalid files. If there are damaged files, no rule may decide.
   * Rejects if the disk fails.
   */
  async read(): Promise<{ readonly rules: readonly ApprovalRule[]; readonly damaged: readonly string[] }> {
    const rules: ApprovalRule[] = [];
    const damaged: string[] = [];
    const names = ((await readdir(this.folder).catch(undefinedIfMissing)) ?? []).filter(name => name.endsWith(end)).sort();
    for (const name of names.slice(0, maxRules + 1)) {
      const file = path.join(this.folder, name);
      const json = await readFile(file, 'utf8').catch(undefinedIfMissing);
      const rule = json === undefined ? undefined : parseRule(json);
      if (rule !== undefined && `${rule.id}${end}` === name) {
        rules.push(rule);
      } else if (json !== undefined) {
        damaged.push(file);
      }
    }
    if (rules.length > maxRules) {
      damaged.push(this.folder);
    }
    rules.sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id < b.id ? -1 : 1));
    return { rules, damaged };
  }

  /** Saves a rule, completely or not at all. Rejects if the rule could not be written. */
  async write(rule: ApprovalRule): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await WholeFile.write(this.fileOf(rule.id), `${JSON.stringify(rule, null, 2)}\n`);
    this.onChange();
  }

  /** Turns a saved rule on or off. Returns false if the rule is gone. */
  async switch(id: string, isOn: boolean): Promise<boolean> {
    const rule = (await this.read()).rules.find(each => each.id === id);
    if (rule !== undefined && rule.isOn !== isOn) {
      await this.write({ ...rule, isOn });
    }
    return rule !== undefined;
  }

  async remove(id: string): Promise<void> {
    await rm(this.fileOf(id), { force: true });
    this.onChange();
  }

  private fileOf(id: string): string {
    return path.join(this.folder, `${id}${end}`);
  }
}

function parseRule(json: string): ApprovalRule | undefined {
  try {
    return json.length > longest ? undefined : ruleSchema.parse(JSON.parse(json));
  } catch {
    return undefined;
  }
}
