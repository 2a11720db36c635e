import type { LanguageModelChatInformation } from 'vscode';
import type { Model } from '../../client/resources/models';
import { hostOf, nameWithHost } from '../../common/text/presentation';
import type { Translate } from '../../common/text/translate';
import { isRecord } from '../../shared/isRecord';
import { toLabel } from '../../shared/text';
import type { Connection } from '../connection';

/** Model as shown in the picker, and the target of its requests. */
export interface ListedChatModel extends LanguageModelChatInformation {
  readonly connection: string;
  readonly model: string;
}

/** Input limit in tokens for a model that reports none. The smallest limit of models for agents. */
const defaultInput = 128_000;
const defaultOutput = 8_192;

/** Maximum tokens of an answer in a chat, even if the model allows more. Limits the cost of a bad answer. */
const maxOutput = 32_000;

/** First version of VS Code that cancels a request when its answer is no longer needed. */
const firstThatCancels = [1, 127] as const;

/**
 * Returns whether this version of VS Code cancels requests whose answer is no longer needed. In older versions, such an answer is still
 * generated and paid for.
 */
export function endsRequests(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(part => Number.parseInt(part, 10));
  return major > firstThatCancels[0] || (major === firstThatCancels[0] && minor >= firstThatCancels[1]);
}

/** Converts the models of a connection to VS Code's type, in the order of the service and without duplicates. */
export function toChatModels(connection: Connection, models: readonly Model[], t: Translate): readonly ListedChatModel[] {
  const found = new Map(models.map(model => [model.id, model]));
  return [...found.values()].map(model => toOffered(connection, model, t));
}

function toOffered({ name, baseUrl, isEmulator }: Connection, model: Model, t: Translate): ListedChatModel {
  const label = toLabel(name, 60);
  const image: unknown = model.capabilities?.image_input;
  return {
    id: `${name}/${model.id}`,
    name: toLabel(model.display_name || model.id, 100),
    family: model.id,
    version: model.created_at ?? '',
    detail: label,
    tooltip: isEmulator
      ? t('Built-in emulator: no model, no cost')
      : t('Sent to {0}, charged to your account', nameWithHost({ name: label, host: hostOf({ baseUrl }) })),
    maxInputTokens: positive(model.max_input_tokens) ?? defaultInput,
    maxOutputTokens: Math.min(positive(model.max_tokens) ?? defaultOutput, maxOutput),
    capabilities: { toolCalling: true, imageInput: isRecord(image) && image.supported === true },
    connection: name,
    model: model.id,
  };
}

function positive(count: number | null | undefined): number | undefined {
  return typeof count === 'number' && count > 0 ? Math.floor(count) : undefined;
}
