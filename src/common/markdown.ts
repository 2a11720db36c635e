import { toLabel } from './text';

/** Escapes what Markdown would take as markup, on one line, invisible characters shown. */
export function escapeMarkdown(text: string): string {
  return toLabel(text, 2000).replace(/[\\`*_{}[\]()#+\-.!|<>~&$]/g, '\\$&');
}
