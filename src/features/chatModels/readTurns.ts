import * as vscode from 'vscode';
import type { ChatPart, ChatTool, ChatTurn } from './chatTurns';

/** Role of system messages. Exists at run time, but not yet in the API's types. */
const systemRole = 3;

/** Converts a chat message of VS Code. Omits parts of unknown types. */
export function toTurn({ role, content }: Pick<vscode.LanguageModelChatRequestMessage, 'role' | 'content'>): ChatTurn {
  const isSystem = (role as number) === systemRole;
  return {
    role: isSystem ? 'system' : role === vscode.LanguageModelChatMessageRole.Assistant ? 'assistant' : 'user',
    parts: content.flatMap(toParts),
  };
}

/** Converts a tool of VS Code. */
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

/** Returns whether a part is an image or a file. The types of the oldest supported version lack their class. */
function isData(part: unknown): part is { readonly mimeType: string; readonly data: Uint8Array } {
  const { mimeType, data } = (part ?? {}) as { readonly mimeType?: unknown; readonly data?: unknown };
  return typeof mimeType === 'string' && data instanceof Uint8Array;
}
