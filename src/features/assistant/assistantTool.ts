import type * as z from 'zod';
import type { Translate } from '../../common/text/translate';
import type { AssistantServices } from './assistantServices';
import type { ToolLevel } from './toolLevel';

/** What a tool found. All of it counts as words of others: it is masked, cut and marked before a model sees it. */
export interface Told {
  /** The frame: what the list is of, sums, what to do next. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly list?: ToldList;
  /** Characters that the whole answer may have, 8,000 unless this says fewer or more. */
  readonly maxChars?: number;
}

/** The long part of an answer. As many items as there is room for are told, and how to ask for the others. */
export interface ToldList {
  /** The field of the answer that holds them. */
  readonly name: string;
  readonly items: readonly unknown[];
  /** The cursor behind the first `count` items, from which this list goes on; undefined when nothing follows. */
  readonly next?: (count: number) => string | undefined;
}

/** A question that VS Code asks before a tool runs. It is a courtesy: whoever approves all tools is never asked it. */
export interface ToolQuestion {
  readonly title: string;
  readonly message: string;
}

/** One thing that a language model can ask for. */
export interface AssistantTool<Schema extends z.ZodType = z.ZodType> {
  /** In the manifest behind `managed-agents_`. */
  readonly name: string;
  /** The least level at which it may be used. */
  readonly needs: Exclude<ToolLevel, 'off'>;
  readonly icon: string;
  /** Tells a model what it does and when to use it; at most 1,000 characters. English, as all that only a model reads. */
  readonly description: string;
  readonly input: Schema;
  /** It makes, sends or shows something; every other tool only reads. */
  readonly acts?: true;
  /** Changes nothing and asks nobody but for what its description says. Throws a `ToolRefusal` for what the model can correct. */
  run(input: z.infer<Schema>, services: AssistantServices, signal: AbortSignal): Promise<Told>;
  readonly question?: (input: z.infer<Schema>, translate: Translate) => ToolQuestion;
}

/** Keeps the schema and what takes its input of one type. */
export function defineTool<Schema extends z.ZodType>(tool: AssistantTool<Schema>): AssistantTool {
  return tool as unknown as AssistantTool;
}

/** Why a tool did nothing, and what to do next: sentences for a model. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
}
