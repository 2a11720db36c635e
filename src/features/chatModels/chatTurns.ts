/** A part of a chat's history, told apart once from what VS Code hands over. */
export type ChatPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: 'result'; readonly id: string; readonly content: readonly ChatPart[]; readonly isError: boolean };

/** One message of a chat. */
export interface ChatTurn {
  readonly role: 'user' | 'assistant' | 'system';
  readonly parts: readonly ChatPart[];
}

/** A tool that the model may call. */
export interface ChatTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its input; undefined for a tool that takes none. */
  readonly inputSchema: object | undefined;
}
