import path from 'node:path';
import * as vscode from 'vscode';
import { askChoices } from '../../common/asking/askSteps';
import { NothingToDoError } from '../../common/asking/nothingToDo';
import { askModal, askToAllow, showWarning } from '../../common/asking/notifications';
import { withToken } from '../../common/cancellation';
import { Consents, consentKeys } from '../../common/consents';
import { setContextKey } from '../../common/contextKeys';
import { readEstimateSettings } from '../../common/estimateSettings';
import { readSetting } from '../../common/settings';
import { withoutLinks } from '../../common/text/withoutLinks';
import type { CommandId, Commands } from '../../contributions';
import { contractLimits } from '../../jsonl/checking/batchRules';
import { numberFormat } from '../../shared/formats';
import { toLabel, toVisibleText } from '../../shared/text';
import type { ShownSheet } from '../batches/api';
import { type Connection, reach } from '../connection';
import { withFileOnDisk } from '../requests';
import type { AssistantDependencies } from '.';
import type { AssistantServices, MessageQuestion, NamedFile, Proposal, Shown } from './assistantServices';
import { type AssistantTool, ToolRefusal } from './assistantTool';
import { ProposedSheets } from './proposedSheets';
import { readToolLevel } from './readToolLevel';
import { runTool } from './runTool';
import { assistantTools } from './tools';
import { findWorkspaceFile, type WorkspacePath, writeNewFile } from './workspacePaths';

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
    this.sheets = new ProposedSheets({ registry: deps.registry, show: runProposal, now: () => performance.now() });
    this.services = createAssistantServices(deps, this);
  }

  /** Returns the services for tool calls of other programs. The services share the consents, but wait less than a minute for the user. */
  servicesForPrograms(): AssistantServices {
    return createAssistantServices(this.deps, this, programPatience);
  }

  /** Returns the question that VS Code asks before a call. Returns `undefined` for invalid input. `invoke` then reports the problem. */
  prepare(name: string, input: unknown): vscode.PreparedToolInvocation | undefined {
    const tool = find(name);
    const parsed = tool.input.safeParse(input);
    const question = parsed.success ? tool.question?.(parsed.data, vscode.l10n.t) : undefined;
    return question && { confirmationMessages: { title: question.title, message: withoutLinks(toVisibleText(question.message)) } };
  }

  /** Shows the connections through which models may read contents, and lets the user change them. */
  async manageConsents(): Promise<void> {
    const { connections } = this.deps;
    const { t } = vscode.l10n;
    await connections.whenKnown;
    const all = connections.all();
    if (all.length === 0) {
      throw new NothingToDoError(t('Add a connection first.'));
    }
    const chosen = await askChoices<Connection>({
      title: t('What Models May Read'),
      placeholder: t('Select connections that models may read'),
      choices: all.map(value => ({
        label: toLabel(value.name, 80),
        description: value.isEmulator ? '' : toLabel(value.baseUrl, 100),
        value,
      })),
      ticked: all.filter(connection => this.consents.has(connection)),
      validate: () => undefined,
    });
    await this.consents.set(chosen);
  }

  /** Runs a tool. Rejects with a `CancellationError` if it was cancelled. Any other failure becomes a result. */
  async invoke(
    name: string,
    { input, tokenizationOptions: tokens }: vscode.LanguageModelToolInvocationOptions<object>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const work = async (signal: AbortSignal) => {
      const answer = await runTool(find(name), input, this.services, signal);
      let text = answer.text();
      const used = tokens === undefined ? 0 : await tokens.countTokens(text, token);
      if (tokens !== undefined && used > tokens.tokenBudget) {
        text = answer.text(Math.floor((text.length * tokens.tokenBudget * 0.9) / used));
      }
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    };
    return await withToken(token, work, this.lifetime.signal);
  }

  dispose(): void {
    this.lifetime.abort();
  }
}

function find(name: string): AssistantTool {
  const tool = assistantTools.find(one => name === `managed-agents_${one.name}`);
  if (tool === undefined) {
    throw new Error(`Unknown tool: ${name}.`);
  }
  return tool;
}

/** Maximum time that a tool waits for the user at each step of a sheet, in milliseconds. */
const sheetPatience = 120_000;

function createAssistantServices(
  deps: AssistantDependencies,
  { consents, sheets }: { readonly consents: Consents; readonly sheets: ProposedSheets },
  patience = sheetPatience,
): AssistantServices {
  const { context, connections, jobs, registry, rules } = deps;
  const snapshots = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'snapshots');
  const consented = (name: string) => connections.find(name) ?? { name, baseUrl: '', isEmulator: false };
  return {
    jobs,
    registry,
    isTrusted: () => vscode.workspace.isTrusted,
    level: readToolLevel,
    now: () => Date.now(),
    findFile: async name => toNamed(await findWorkspaceFile(roots(), toPlainPath(name))),
    writeNew: async (name, write) => {
      const { file, value } = await writeNewFile(roots(), toPlainPath(name), write);
      return { file: toNamed(file), value };
    },
    readFile: (file, use) => withFileOnDisk(vscode.Uri.file(file.path), snapshots, use),
    rules: file => rules.options(vscode.Uri.file(file.path)),
    limits: () => connections.current?.limits ?? contractLimits,
    prices: readEstimateSettings,
    minimumCachedTokens: () => readSetting('managedAgents.estimate.minimumCachedTokens'),
    mostTokens: () => (rules.models() ?? []).flatMap(({ id, max_tokens: most }) => (typeof most === 'number' ? [[id, most] as const] : [])),
    reach: async name => reach(connections, await usable(deps, name), 'look'),
    isConsented: name => consents.has(consented(name)),
    askConsent: (name, program) => consents.demand(consented(name), program),
    showSheet: (proposal, signal) => sheets.propose(proposal, patience, signal),
    askMessage,
    sendMessage: async ({ connection, sessionId }, text, signal) => {
      const { client } = await reach(connections, connection, 'change');
      await client.sessions.send(sessionId, [{ type: 'user.message', content: [{ type: 'text', text }] }], { signal });
    },
    show,
  };
}

/** Asks whether models may read contents that came through a connection. `program` is the name that the asking program gave itself. */
async function askToRead({ name }: Pick<Connection, 'name'>, program?: string): Promise<boolean> {
  const { t } = vscode.l10n;
  const question =
    program === undefined
      ? t('Allow language models to read data of "{0}"?', toLabel(name, 60))
      : t('Allow the program "{0}" to read data of "{1}"?', toLabel(program, 60), toLabel(name, 60));
  const contents = t('The model can read answers, errors and session transcripts. Known secret formats are masked.');
  const scope = t('Your choice applies to all MCP programs and to language models in chats.');
  const detail = program === undefined ? contents : `${scope}\n\n${contents}`;
  return await askToAllow(question, detail);
}

function roots() {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

function toPlainPath(name: string): string {
  return name.startsWith('file:') ? vscode.Uri.parse(name).fsPath : name;
}

function toNamed({ name, path: file }: WorkspacePath): NamedFile {
  return { name, path: file, source: vscode.Uri.file(file).toString() };
}

/** Returns the named or the current connection. Throws a `ToolRefusal` if the connection is not usable. */
async function usable({ connections }: AssistantDependencies, name: string | undefined): Promise<Connection> {
  await connections.whenKnown;
  if (name !== undefined) {
    const found = connections.find(name);
    if (found === undefined) {
      const names = connections.all().map(connection => connection.name);
      throw new ToolRefusal(
        `Unknown connection "${name}". Connections: ${names.join(', ')}. Call again with one of them, or without a connection.`,
      );
    }
    return found;
  }
  const { current, state, reason } = connections;
  if (current === undefined || state !== 'ready') {
    throw new ToolRefusal(
      `No connection can be used. ${reason ?? 'No connection is selected.'} Ask the user to run "Managed Agents: Switch Connection" or "Set API Key", then call again.`,
    );
  }
  return current;
}

/** Runs a command that shows something. Returns `undefined` if it failed or was cancelled. The user already knows the reason. */
async function run<K extends CommandId>(id: K, ...args: Commands[K]): Promise<{ readonly given: unknown } | undefined> {
  const given: unknown = await vscode.commands.executeCommand(id, ...args);
  const isDone = (given as { readonly isDone?: boolean } | undefined)?.isDone;
  return isDone === false ? undefined : { given };
}

/** Runs the command of a proposal. Returns the sheet, or `undefined` if there is nothing to send. */
async function runProposal({ file, only, sampleSize }: Proposal): Promise<ShownSheet | undefined> {
  const uri = vscode.Uri.file(file.path);
  const shown = await run('managedAgents.batch.create', uri, only ?? 'all', sampleSize);
  return shown?.given as ShownSheet | undefined;
}

/** Asks in a dialog. Enter presses the first button, which sends nothing. */
async function askMessage({ connection, sessionId, title, agent, usage, text }: MessageQuestion, signal: AbortSignal): Promise<boolean> {
  const { t } = vscode.l10n;
  const { input_tokens: input = 0, output_tokens: output = 0, list_cost: cost } = usage;
  const number = numberFormat(vscode.env.language);
  const facts = [
    t('Session: {0}', toLabel(title === '' ? sessionId : `${title} (${sessionId})`, 160)),
    t('Agent: {0}', toLabel(agent, 100)),
    t('Connection: {0}', toLabel(connection, 60)),
    t('Tokens so far: {0}', number.format((input ?? 0) + (output ?? 0))),
    ...(cost ? [t('Cost so far: {0}', `${(Number(cost.amount) / 100).toFixed(2)} ${toLabel(cost.currency ?? '', 10)}`.trimEnd())] : []),
  ];
  const [showSession, send] = [t('Show Session'), t('Send')];
  const question = t('A language model wants to send this message, which costs money.');
  const answer = await askModal(question, { detail: `${facts.join('\n')}\n\n${toVisibleText(text)}` }, showSession, send);
  if (answer === showSession) {
    await show({ kind: 'session', session: { connection, sessionId } });
  }
  if (answer === send && signal.aborted) {
    void showWarning(t('The message was not sent: the model was stopped.'));
  }
  return answer === send;
}

async function show(what: Shown): Promise<boolean> {
  switch (what.kind) {
    case 'file': {
      const at = new vscode.Position(Math.max(0, (what.line ?? 1) - 1), 0);
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(what.file.path));
      await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at), preview: false });
      return true;
    }
    case 'batch':
      return (await run('managedAgents.batch.open', what.batch)) !== undefined;
    case 'results':
      return (await run('managedAgents.results.show', what.of, what.customId, what.query)) !== undefined;
    case 'session':
      return (await run('managedAgents.session.open', what.session, what.event)) !== undefined;
  }
}
