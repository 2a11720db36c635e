/** Part of a chat's history. Does not depend on VS Code's classes. */
export type ChatPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: 'result'; readonly id: string; readonly content: readonly ChatPart[]; readonly isError: boolean };

export interface ChatTurn {
  readonly role: 'user' | 'assistant' | 'system';
  readonly parts: readonly ChatPart[];
}

/** Tool that the model may call. */
export interface ChatTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input. `undefined` if the tool has no input. */
  readonly inputSchema: object | undefined;
}
