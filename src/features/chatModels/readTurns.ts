import * as vscode from 'vscode';
import type { ChatPart, ChatTool, ChatTurn } from './chatTurns';

/** The role of system messages, which is there at run time and not in the API's types yet. */
const systemRole = 3;

/** A message of a chat as VS Code hands it over. What this version knows no kind of is left out. */
export function toTurn({ role, content }: Pick<vscode.LanguageModelChatRequestMessage, 'role' | 'content'>): ChatTurn {
  const isSystem = (role as number) === systemRole;
  return {
    role: isSystem ? 'system' : role === vscode.LanguageModelChatMessageRole.Assistant ? 'assistant' : 'user',
    parts: content.flatMap(toParts),
  };
}

/** A tool as VS Code hands it over. */
export function toTool({ name, description, inputSchema }: vscode.LanguageModelChatTool): ChatTool {
  return { name, description, inputSchema };
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

/** Images and files come in a class that the oldest supported version has without a type. */
function isData(part: unknown): part is { readonly mimeType: string; readonly data: Uint8Array } {
  const { mimeType, data } = (part ?? {}) as { readonly mimeType?: unknown; readonly data?: unknown };
  return typeof mimeType === 'string' && data instanceof Uint8Array;
}
