import { toolManifest } from './toolManifest';

/** Maximum length of an array or object on one line, in characters. */
const lineWidth = 140;

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

/**
 * Returns package.json with its derived parts: titles and categories of commands, and the language model tools. Each menu entry, command
 * and other object without nested objects is one line.
 */
export function manifestText(manifest: Manifest): string {
  const contributes = {
    ...manifest.contributes,
    commands: manifest.contributes.commands.map(({ command, ...rest }) => ({
      command,
      ...rest,
      title: `%${command.replace('managedAgents', 'command')}%`,
      category: '%category%',
    })),
    languageModelTools: toolManifest(),
  };
  return `${print({ ...manifest, contributes }, '', 0)}\n`;
}

function print(value: unknown, indent: string, depth: number): string {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  const line = toLine(value);
  const isFlat = !Array.isArray(value) && Object.values(value).every(member => typeof member !== 'object');
  if (depth > 1 && (isFlat || indent.length + line.length <= lineWidth)) {
    return line;
  }
  const inner = `${indent}  `;
  return Array.isArray(value)
    ? `[\n${value.map(item => inner + print(item, inner, depth + 1)).join(',\n')}\n${indent}]`
    : `{\n${Object.entries(value)
        .map(([name, member]) => `${inner}${JSON.stringify(name)}: ${print(member, inner, depth + 1)}`)
        .join(',\n')}\n${indent}}`;
}

function toLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  return Array.isArray(value)
    ? `[${value.map(toLine).join(', ')}]`
    : `{ ${Object.entries(value)
        .map(([name, member]) => `${JSON.stringify(name)}: ${toLine(member)}`)
        .join(', ')} }`;
}
