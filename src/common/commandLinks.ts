import * as vscode from 'vscode';

/** Returns links to commands as Markdown in which only these commands run. `text` is Markdown before them. */
export function toCommandLinks(acts: readonly vscode.Command[], text = ''): vscode.MarkdownString {
  const links = acts.map(
    ({ command, title, arguments: given }) => `[${title}](command:${command}?${encodeURIComponent(JSON.stringify(given))})`,
  );
  const markdown = new vscode.MarkdownString([text, links.join(' · ')].filter(part => part !== '').join('\n\n'));
  markdown.isTrusted = { enabledCommands: acts.map(({ command }) => command) };
  return markdown;
}
