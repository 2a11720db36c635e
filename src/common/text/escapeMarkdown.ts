import { toLabel } from '../../shared/text';

/** Escapes Markdown markup and addresses. The result is one line with invisible characters shown as escapes. */
export function escapeMarkdown(text: string): string {
  return toLabel(text, 2000).replace(/[\\`*_{}[\]()#+\-.!|<>~&$@]|:(?=\/)/g, '\\$&');
}

/** Returns a heading and a table of names and values, without empty values. Returns an empty text without values. */
export function toFactTable(title: string, facts: readonly (readonly [name: string, value: string])[]): string {
  const shown = facts.filter(([, value]) => value !== '');
  if (shown.length === 0) {
    return '';
  }
  const lines = shown.map(([name, value]) => `| ${escapeMarkdown(name)} | ${escapeMarkdown(value)} |`);
  return `## ${escapeMarkdown(title)}\n\n| | |\n|:--|:--|\n${lines.join('\n')}`;
}
