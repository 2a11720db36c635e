import * as vscode from 'vscode';
import { dialects } from '../../client/dialect';
import type { Model } from '../../client/resources/models';
import { ServiceError } from '../../client/transport/errors';
import { listUpTo } from '../../client/transport/pagination';
import { askToAllow } from '../../common/asking/notifications';
import { UntrustedError } from '../../common/asking/untrusted';
import { isCancellation, withToken } from '../../common/cancellation';
import { type ConsentedConnection, Consents, consentKeys } from '../../common/consents';
import { combine } from '../../common/disposables';
import { readEstimateSettings } from '../../common/estimateSettings';
import { describeError } from '../../common/text/describeError';
import { hostOf } from '../../common/text/presentation';
import { orAborted } from '../../shared/orAborted';
import { redact } from '../../shared/redaction';
import { join, toLabel } from '../../shared/text';
import { type Connection, type Reached, reach } from '../connection';
import { loadStreamedAnswer } from '../requests';
import type { ChatModelsDependencies } from '.';
import { estimateTokens } from './estimateTokens';
import { type AnswerSum, type ChatEnd, streamChat } from './streamChat';
import { endsRequests, type ListedChatModel, toChatModels } from './toChatModels';
import type { ChatPart, ChatTurn } from './toMessageRequest';

/** Maximum number of models to list. Services list far fewer. */
const maxModels = 1_000;

/** Offers the models of the current connection to VS Code's chats and to other extensions. Loaded on first use. */
export class ChatModelProvider implements vscode.Disposable {
  private readonly lifetime = new AbortController();
  private readonly consents: Consents;
  /** Models listed by the service, and the `access` of the connection at that time. */
  private listed: { readonly access: string; readonly models: Promise<readonly Model[]> } | undefined;
  /** Serialized list that was last reported to VS Code. `undefined` before the first request. */
  private reported: string | undefined;
  private readonly subscriptions: vscode.Disposable;

  /** `changed` fires when the models differ from the models reported to VS Code. */
  constructor(
    private readonly deps: ChatModelsDependencies,
    private readonly isOn: () => boolean,
    private readonly changed: vscode.EventEmitter<void>,
    ask: (connection: ConsentedConnection) => Promise<boolean> = askToSend,
  ) {
    this.consents = new Consents(deps.context.globalState, consentKeys.chat, ask);
    const follow = () => void this.follow();
    this.subscriptions = combine(deps.connections.onDidChange(follow), vscode.workspace.onDidGrantWorkspaceTrust(follow));
  }

  /** Returns the models that can be used now. Never asks the user, and never rejects. */
  async list(): Promise<ListedChatModel[]> {
    const models = await this.find();
    this.reported = JSON.stringify(models);
    return [...models];
  }

  /** Sends a chat to a model and reports the answer as it arrives. Rejects with an error for the user, of a VS Code type if one fits. */
  async respond(
    model: ListedChatModel,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const work = async (signal: AbortSignal) => {
      const { connection, client } = await this.reach(model, signal);
      const { StreamedAnswer } = await loadStreamedAnswer();
      const answer = new StreamedAnswer();
      const end = await streamChat(
        client,
        {
          model: model.model,
          turns: messages.map(toTurn),
          tools: options.tools ?? [],
          mustCall: options.toolMode === vscode.LanguageModelChatToolMode.Required,
          options: options.modelOptions ?? {},
          maxOutputTokens: model.maxOutputTokens,
          naming: dialects[connection.dialect],
        },
        answer,
        {
          text: added => progress.report(new vscode.LanguageModelTextPart(added)),
          call: ({ id, name, input }) => progress.report(new vscode.LanguageModelToolCallPart(id, name, input)),
        },
        signal,
      );
      this.note(model, end, answer);
      refuseUnlessWhole(end);
    };
    await withToken(token, work, this.lifetime.signal).catch(error => {
      throw toModelError(error);
    });
  }

  count(said: string | vscode.LanguageModelChatRequestMessage): number {
    return estimateTokens(typeof said === 'string' ? said : toTurn(said));
  }

  /**
   * Removes all consents to costs and lists the models again. Called when the setting is turned off or on, because the setting may have
   * been turned off while no window was open. Never rejects.
   */
  async startOver(): Promise<void> {
    this.listed = undefined;
    try {
      await this.consents.set([]);
    } catch (error) {
      this.deps.log.error('The consent for chats could not be withdrawn', error);
    }
    this.changed.fire();
  }

  dispose(): void {
    this.lifetime.abort();
    this.subscriptions.dispose();
  }

  private async follow(): Promise<void> {
    if (this.reported !== undefined) {
      const found = JSON.stringify(await this.find());
      if (this.reported !== found) {
        this.reported = found;
        this.changed.fire();
      }
    }
  }

  private async find(): Promise<readonly ListedChatModel[]> {
    await this.deps.connections.whenKnown;
    const connection = this.offered();
    return connection === undefined ? [] : toChatModels(connection, await this.modelsOf(connection), vscode.l10n.t);
  }

  private offered(): Connection | undefined {
    const { current, state } = this.deps.connections;
    const isUsable =
      vscode.workspace.isTrusted && this.isOn() && state === 'ready' && (current?.isEmulator === true || endsRequests(vscode.version));
    return isUsable ? current : undefined;
  }

  private async modelsOf(connection: Connection): Promise<readonly Model[]> {
    const access = this.deps.connections.access ?? '';
    if (this.listed?.access !== access) {
      this.listed = { access, models: this.ask(connection) };
    }
    const { models } = this.listed;
    try {
      return await models;
    } catch (error) {
      this.deps.log.warn(`The models of ${toLabel(connection.name, 60)} could not be listed for chats: ${describeError(error)}`);
      this.listed = this.listed?.models === models ? undefined : this.listed;
      // Without the service, only the models with a price are known.
      return [...readEstimateSettings().prices.keys()].map(id => ({ id }));
    }
  }

  private async ask(connection: Connection): Promise<readonly Model[]> {
    const { signal } = this.lifetime;
    const { client } = await reach(this.deps.connections, connection, 'look');
    const { items, isWhole, cut } = await listUpTo(client.models.list, maxModels, { limit: 100, signal });
    if (!isWhole) {
      this.deps.log.warn(join(': ', `Not all models of ${toLabel(connection.name, 60)} are known`, cut?.message));
    }
    return items;
  }

  /** Returns the service of a model, if the service may be used and the user consents to costs. */
  private async reach(model: ListedChatModel, signal: AbortSignal): Promise<Reached> {
    const asked = this.connectionOf(model);
    if (!asked.isEmulator && !(await orAborted(this.consents.demand(asked), signal))) {
      throw vscode.LanguageModelError.NoPermissions(
        vscode.l10n.t(
          'Requests to models of "{0}" aren\'t allowed. Turn managedAgents.ai.models off and on to be asked again.',
          toLabel(asked.name, 60),
        ),
      );
    }
    // The connection may have changed while the user was asked. The request must use the connection that the user consented to.
    const connection = this.connectionOf(model);
    if (connection.isEmulator !== asked.isEmulator || connection.baseUrl !== asked.baseUrl) {
      throw notNow(model);
    }
    signal.throwIfAborted();
    return await reach(this.deps.connections, connection, 'change');
  }

  /** Returns the connection of a model. Throws if the models of another connection are offered now. */
  private connectionOf(model: ListedChatModel): Connection {
    const connection = this.offered();
    if (connection?.name !== model.connection) {
      throw notNow(model);
    }
    return connection;
  }

  private note({ connection, model }: ListedChatModel, { kind, requestId }: ChatEnd, { usage, stopReason }: AnswerSum): void {
    const count = (name: string) => (typeof usage[name] === 'number' ? usage[name] : '?');
    const facts = [
      `${count('input_tokens')} input and ${count('output_tokens')} output tokens`,
      ...[stopReason, requestId].filter(fact => fact !== undefined),
    ];
    if (kind !== 'nothingToSend') {
      this.deps.log.info(`A chat was answered by ${toLabel(`${model} of ${connection}`)}: ${facts.map(fact => toLabel(fact)).join(', ')}`);
    }
  }
}

function notNow({ connection }: ListedChatModel): Error {
  return vscode.LanguageModelError.NotFound(
    vscode.l10n.t('Switch to the connection "{0}" and turn on managedAgents.ai.models.', toLabel(connection, 60)),
  );
}

/** Throws an error for the user if an answer can't be used. */
function refuseUnlessWhole({ kind }: ChatEnd): void {
  const { t } = vscode.l10n;
  if (kind === 'whole') {
    return;
  }
  if (kind === 'refused') {
    throw vscode.LanguageModelError.Blocked(t('The model refused to answer.'));
  }
  const incomplete = t('The tool call was incomplete. Ask the model to try again.');
  const words: Readonly<Record<typeof kind, string>> = {
    cut: incomplete,
    unreadable: incomplete,
    tooLong: t('The answer reached the token limit. Ask the model to continue.'),
    overflowed: t("The chat is too long for the model's context window. Start a new chat."),
    nothingToSend: t('The message is empty.'),
  };
  throw new Error(words[kind]);
}

/** Asks whether requests to the models of a connection may cost money. */
async function askToSend({ name, baseUrl }: ConsentedConnection): Promise<boolean> {
  const { t } = vscode.l10n;
  const question = t('Allow chats and extensions to use the models of "{0}"?', toLabel(name, 60));
  const detail = t(
    'Chats are sent to {0}, and each request is charged. Turn off managedAgents.ai.models to stop this.',
    toLabel(hostOf({ baseUrl }), 100),
  );
  return await askToAllow(question, detail);
}

/** Role of system messages. Exists at run time, but not yet in the API's types. */
const systemRole = 3;

/** Converts a chat message of VS Code. Omits parts of unknown types. */
function toTurn({ role, content }: Pick<vscode.LanguageModelChatRequestMessage, 'role' | 'content'>): ChatTurn {
  const isSystem = (role as number) === systemRole;
  return {
    role: isSystem ? 'system' : role === vscode.LanguageModelChatMessageRole.Assistant ? 'assistant' : 'user',
    parts: content.flatMap(toParts),
  };
}

function toParts(part: unknown): readonly ChatPart[] {
  if (part instanceof vscode.LanguageModelTextPart) {
    return [{ kind: 'text', text: part.value }];
  }
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return [{ kind: 'call', id: part.callId, name: part.name, input: part.input }];
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    const { isError } = part as { readonly isError?: boolean };
    return [{ kind: 'result', id: part.callId, content: part.content.flatMap(toParts), isError: isError === true }];
  }
  if (part instanceof vscode.LanguageModelPromptTsxPart) {
    const { value } = part;
    return [{ kind: 'text', text: typeof value === 'string' ? value : (JSON.stringify(value) ?? '') }];
  }
  return isData(part) ? [{ kind: 'data', mimeType: part.mimeType, data: part.data }] : [];
}

/** Returns whether a part is an image or a file. The types of the oldest supported version lack their class. */
function isData(part: unknown): part is { readonly mimeType: string; readonly data: Uint8Array } {
  const { mimeType, data } = (part ?? {}) as { readonly mimeType?: unknown; readonly data?: unknown };
  return typeof mimeType === 'string' && data instanceof Uint8Array;
}

/**
 * Converts a failure to an error that VS Code can show in a chat. The error is in plain words, without secrets, and of a VS Code type if
 * one fits.
 */
function toModelError(error: unknown): Error {
  if (error instanceof vscode.LanguageModelError) {
    return error;
  }
  if (isCancellation(error)) {
    return new vscode.CancellationError();
  }
  const words = toLabel(redact(error instanceof Error ? error.message : String(error)), 1000);
  if (error instanceof UntrustedError) {
    return vscode.LanguageModelError.NoPermissions(words);
  }
  switch (error instanceof ServiceError ? error.kind : undefined) {
    case 'authentication':
    case 'permission':
    case 'billing':
    case 'no_credential':
      return vscode.LanguageModelError.NoPermissions(words);
    case 'not_found':
      return vscode.LanguageModelError.NotFound(words);
    default:
      return new Error(words);
  }
}
