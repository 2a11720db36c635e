/** Levels of access for language models, in ascending order. Each level includes the lower levels. */
export const toolLevels = ['off', 'metadata', 'read', 'full'] as const;
export type ToolLevel = (typeof toolLevels)[number];

/**
 * Returns the effective level from the setting's values, as returned by `inspect`. A workspace can only lower the user's level. An invalid
 * level counts as `off`.
 */
export function toToolLevel({
  defaultValue,
  globalValue = defaultValue,
  workspaceValue,
  workspaceFolderValue,
}: Partial<Readonly<Record<'defaultValue' | 'globalValue' | 'workspaceValue' | 'workspaceFolderValue', unknown>>> = {}): ToolLevel {
  const ranks = [workspaceFolderValue ?? 'full', workspaceValue ?? 'full', globalValue].map(value =>
    toolLevels.indexOf(value as ToolLevel),
  );
  return toolLevels[Math.max(0, Math.min(...ranks))] as ToolLevel;
}
