import { ServiceError } from '../../client/transport/errors';
import { describeError } from '../../common/text/describeError';
import type { AssistantServices } from './assistantServices';
import { type AssistantTool, ToolRefusal } from './assistantTool';
import { formatRefusal, formatResult } from './formatResult';
import { toolLevels } from './toolLevel';

/** Result for a model, as text of limited length. */
export interface ToolText {
  (mostChars?: number): string;
  /** True if nothing was done. The text says why. */
  readonly isRefusal: boolean;
}

/**
 * Runs a tool with unvalidated input. Resolves with the result for the model, or with the reason why nothing was done and the next step.
 * Rejects only if `signal` aborts. Checks that the tool is allowed, although VS Code normally hides it if it isn't.
 */
export async function runTool(tool: AssistantTool, input: unknown, services: AssistantServices, signal: AbortSignal): Promise<ToolText> {
  signal.throwIfAborted();
  try {
    demandAllowed(tool, services);
    const parsed = tool.input.safeParse(input ?? {});
    if (!parsed.success) {
      throw new ToolRefusal(describeIssues(tool, parsed.error.issues));
    }
    const result = await tool.run(parsed.data, services, signal);
    signal.throwIfAborted();
    if (tool.acts !== true) {
      // The tool may have asked the user, who then turned it off instead of answering.
      demandAllowed(tool, services);
    }
    return toAnswer(false, mostChars => formatResult(tool.name, result, mostChars));
  } catch (error) {
    signal.throwIfAborted();
    return toAnswer(true, () => formatRefusal(tool.name, toSentences(describeError(error), adviceAfter(error))));
  }
}

function toAnswer(isRefusal: boolean, toText: (mostChars?: number) => string): ToolText {
  return Object.assign(toText, { isRefusal });
}

function toSentences(message: string, advice: string): string {
  return advice === '' ? message : `${message.replace(/\.$/, '')}. ${advice}`;
}

/** Returns advice for a model after a service or its connection failed. */
function adviceAfter(error: unknown): string {
  switch (error instanceof ServiceError ? error.kind : undefined) {
    case 'not_found':
      return 'Look the id up with list_batches or list_sessions, then call again.';
    case 'authentication':
    case 'permission':
    case 'billing':
    case 'no_credential':
      return 'Only the person can fix the key or the account: tell them, and do not try again before.';
    case undefined:
      return '';
    default:
      return 'Call again once, later; when it fails again, tell the person.';
  }
}

function demandAllowed({ name, needs }: AssistantTool, { isTrusted, level }: AssistantServices): void {
  if (!isTrusted()) {
    throw new ToolRefusal('The workspace is not trusted, so nothing was done. Ask the person to trust it first; do not try again before.');
  }
  const now = level();
  if (toolLevels.indexOf(now) < toolLevels.indexOf(needs)) {
    throw new ToolRefusal(
      `${name} is switched off: the setting managedAgents.ai.tools is "${now}" here and would have to be "${needs}". Only the person can change it; tell them, and go on without this tool.`,
    );
  }
}

function describeIssues({ name, input }: AssistantTool, issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const texts = issues.slice(0, 5).map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  const fields = 'shape' in input ? Object.keys(input.shape as object).join(', ') : '';
  return `The input of ${name} was not understood, so nothing was done. ${texts.join('; ')}. Its fields are: ${fields}. Correct the input and call it again.`;
}
