/** Translates a sentence with placeholders: `vscode.l10n.t`, or in tests a function that only fills the placeholders. */
export type Translate = (message: string, ...args: (string | number)[]) => string;
