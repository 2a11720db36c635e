import * as z from 'zod';
import type { Translate } from '../../common/text/translate';
import { formatText } from '../../contract/problem';
import type { AssistantServices } from './assistantServices';
import type { ToolLevel } from './toolLevel';

/** Result of a tool. All of it is untrusted, so it is masked, cut and marked before a model sees it. */
export interface ToolResult {
  /** Short part of the result, such as a description of the list, totals and the next step. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly list?: ToolResultList;
  /** Maximum length of the whole result in characters. 8,000 by default. */
  readonly maxChars?: number;
}

/** Long part of a result. As many items as fit are returned, with a cursor to request the others. */
export interface ToolResultList {
  /** Name of the field that contains the list. */
  readonly name: string;
  readonly items: readonly unknown[];
  /** Returns the cursor that continues the list after its first `count` items, or `undefined` at its end. */
  readonly next?: (count: number) => string | undefined;
}

/** Tool for language models. */
export interface AssistantTool<Schema extends z.ZodType = z.ZodType> {
  /** Name in the manifest, without `managed-agents_`. */
  readonly name: string;
  /** Lowest tool level that allows the tool. */
  readonly needs: Exclude<ToolLevel, 'off'>;
  readonly icon: string;
  /** Description for models: the effect of the tool and when to use it. At most 1,000 characters, in English like all texts for models. */
  readonly description: string;
  readonly input: Schema;
  /** True if the tool creates, sends or shows something. Every other tool only reads. */
  readonly acts?: true;
  /**
   * Runs the tool. Changes nothing unless `acts` is set. Asks the user only if the description says so. Throws a `ToolRefusal` for errors
   * that the model can correct.
   */
  run(input: z.infer<Schema>, services: AssistantServices, signal: AbortSignal): Promise<ToolResult>;
  /**
   * Returns the question that VS Code asks before the tool runs. Not a safeguard, because a user who auto-approves all tools never sees it.
   */
  question?(input: z.infer<Schema>, translate: Translate): { readonly title: string; readonly message: string };
}

/** Returns the tool. Infers the type of its input from the schema. */
export function defineTool<Schema extends z.ZodType>(tool: AssistantTool<Schema>): AssistantTool {
  return tool as unknown as AssistantTool;
}

/** Reason why a tool did nothing, and the next step. Both are sentences for a model. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
}

/** Fills the placeholders of a sentence without translating it. Models receive only English, whatever the user's language is. */
export function inEnglish(template: string, ...args: readonly (string | number)[]): string {
  return formatText({ template, args });
}

const id = z.string().min(1).max(256);

/** Input fields that several tools share. */
export const fileField = z.string().min(1).max(2_000).describe('Path of a file in the workspace, absolute or relative to its folder.');
export const batchField = id.describe('Batch ID from list_batches.');
export const sessionField = id.describe('Session ID from list_sessions.');
export const connectionField = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Name of a connection. Default: the connection of this window.');
export const cursorField = z.string().max(2_000).optional().describe('The "next" value of the previous result, to continue from there.');

/** Creates the field for the number of items. */
export function limitField(most: number, usual: number) {
  return z.int().min(1).max(most).default(usual);
}

/** Creates the field for the maximum length of the result. */
export function maxCharsField(most: number) {
  return z.int().min(1_000).max(most).default(8_000).describe('Maximum length of the result, in characters.');
}
