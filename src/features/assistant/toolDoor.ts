import * as vscode from 'vscode';
import { toAbortSignal } from '../../common/cancellation';
import { Consents, consentKeys } from '../../common/consents';
import { setContextKey } from '../../common/contextKeys';
import { withoutLinks } from '../../common/text/withoutLinks';
import { toVisibleText } from '../../shared/text';
import type { AssistantServices } from './assistantServices';
import type { AssistantTool } from './assistantTool';
import { askToRead, createAssistantServices, createProposedSheets } from './createAssistantServices';
import type { AssistantDependencies } from './index';
import type { ProposedSheets } from './proposedSheets';
import { runTool } from './runTool';
import { assistantTools } from './tools';

/** Maximum time to wait at each step of a sheet, in milliseconds. MCP clients give up after 60 seconds. */
const programPatience = 25_000;

/** Entry point for VS Code's language models. Finds tools by their names in the manifest. Loaded on first use. */
export class ToolDoor implements vscode.Disposable {
  private readonly lifetime = new AbortController();
  private readonly services: AssistantServices;
  readonly consents: Consents;
  readonly sheets: ProposedSheets;

  constructor(private readonly deps: AssistantDependencies) {
    this.consents = new Consents(deps.context.globalState, consentKeys.read, async (connection, program) => {
      setContextKey('managedAgents.modelsMayRead', true);
      return await askToRead(connection, program);
    });
    this.sheets = createProposedSheets(deps);
    this.services = createAssistantServices(deps, this);
  }

  /** Returns the services for tool calls of other programs. They share the consents, but wait less than a minute for the user. */
  servicesForPrograms(): AssistantServices {
    return createAssistantServices(this.deps, this, programPatience);
  }

  /** Returns the question that VS Code asks before a call. `undefined` for invalid input, which `invoke` then reports. */
  prepare(name: string, input: unknown): vscode.PreparedToolInvocation | undefined {
    const tool = find(name);
    const parsed = tool.input.safeParse(input);
    const question = parsed.success ? tool.question?.(parsed.data, vscode.l10n.t) : undefined;
    return question && { confirmationMessages: { title: question.title, message: withoutLinks(toVisibleText(question.message)) } };
  }

  /** Runs a tool. Rejects with a `CancellationError` if it was cancelled. Any other failure becomes a result. */
  async invoke(
    name: string,
    { input, tokenizationOptions: tokens }: vscode.LanguageModelToolInvocationOptions<object>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const caller = toAbortSignal(token);
    const signal = AbortSignal.any([caller.signal, this.lifetime.signal]);
    try {
      const answer = await runTool(find(name), input, this.services, signal);
      let text = answer();
      const used = tokens === undefined ? 0 : await tokens.countTokens(text, token);
      if (tokens !== undefined && used > tokens.tokenBudget) {
        text = answer(Math.floor((text.length * tokens.tokenBudget * 0.9) / used));
      }
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    } catch (error) {
      throw signal.aborted ? new vscode.CancellationError() : error;
    } finally {
      caller.dispose();
    }
  }

  dispose(): void {
    this.lifetime.abort();
  }
}

function find(name: string): AssistantTool {
  const tool = assistantTools.find(one => name === `managed-agents_${one.name}`);
  if (tool === undefined) {
    throw new Error(`There is no tool ${name}.`);
  }
  return tool;
}
