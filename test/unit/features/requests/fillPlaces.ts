/** Stands for `vscode.l10n.t` in tests: English, with its places filled. */
export function fillPlaces(message: string, ...args: (string | number)[]): string {
  return message.replace(/\{(\d+)\}/g, (place, index) => String(args[Number(index)] ?? place));
}
