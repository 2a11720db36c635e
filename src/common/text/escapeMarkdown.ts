import { toLabel } from '../../shared/text';

/** Escapes what Markdown would take as markup or for an address, on one line, invisible characters shown. */
export function escapeMarkdown(text: string): string {
  return toLabel(text, 2000).replace(/[\\`*_{}[\]()#+\-.!|<>~&$@]|:(?=\/)/g, '\\$&');
}

/** A heading and under it a table of names and their values, without those that are empty; an empty text when there are none. */
export function toFactTable(title: string, facts: readonly (readonly [name: string, value: string])[]): string {
  const shown = facts.filter(([, value]) => value !== '');
  if (shown.length === 0) {
    return '';
  }
  const lines = shown.map(([name, value]) => `| ${escapeMarkdown(name)} | ${escapeMarkdown(value)} |`);
  return `## ${escapeMarkdown(title)}\n\n| | |\n|:--|:--|\n${lines.join('\n')}`;
}
