import type { FieldPattern } from './approvalRule';
import type { RuledAsk } from './decideByRules';
import { canBeFolder, isInFolder, isOrdinaryFile } from './folderPaths';
import { parseReadingCommand } from './readingCommands';
import { beginsCommand } from './simpleCommand';

/**
 * Returns the patterns that can be made of a field's value, the narrowest first. Of those for a rule that allows, only the last ones
 * (`anyArguments` and `anything`) let other programs run, and say so. If a pattern's text is empty, the user has to type it.
 */
export function offeredPatterns(
  { tool, server }: Pick<RuledAsk, 'tool' | 'server'>,
  field: string,
  value: unknown,
  isDenying: boolean,
): readonly FieldPattern[] {
  const exactly = { field, match: 'equals', value: value as Extract<FieldPattern, { match: 'equals' }>['value'] } as const;
  const anything = { field, match: 'anything' } as const;
  if (typeof value !== 'string') {
    return [exactly, anything];
  }
  const folder = folderOf(value);
  const ofFolder = folder === undefined ? [] : [{ field, match: 'folder', folder } as const];
  if (isDenying) {
    return [exactly, ...ofFolder, { field, match: 'contains', text: '' }, anything];
  }
  // Only the service's own `bash` tool is known to run its command in a shell.
  const reading = tool === 'bash' && server === undefined && field === 'command' ? parseReadingCommand(value) : undefined;
  const start = startOf(value);
  return [
    exactly,
    ...(reading === undefined ? [] : [{ field, match: 'command', words: reading.program } as const]),
    ...ofFolder,
    ...(start === undefined ? [] : [{ field, match: 'anyArguments', words: start } as const]),
    anything,
  ];
}

/** Returns the first two words of a simple command, such as `npm run`, or its only word. */
function startOf(command: string): string | undefined {
  const start = command.split(' ', 2).join(' ');
  return [start, start.split(' ')[0] ?? ''].find(words => beginsCommand(command, words));
}

/** Returns the folder of a path if a rule can name it; '' if the path is a special file or in a dot folder. */
function folderOf(path: string): string | undefined {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return !canBeFolder(folder) || !isInFolder(path, folder) ? undefined : isOrdinaryFile(path, '/') ? folder : '';
}
