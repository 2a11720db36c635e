/** Translates a sentence with placeholders. This is `vscode.l10n.t`, or in tests a function that only fills the placeholders. */
export type Translate = (message: string, ...args: (string | number)[]) => string;
