/** Puts a sentence into the user's language: `vscode.l10n.t`, or in tests the sentence with its places filled. */
export type Translate = (message: string, ...args: (string | number)[]) => string;
