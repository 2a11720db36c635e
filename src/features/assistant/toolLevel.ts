/** How much of this extension a language model may use, least first: each level has what those before it have. */
export const toolLevels = ['off', 'metadata', 'read', 'full'] as const;
export type ToolLevel = (typeof toolLevels)[number];

/** Where a setting was given a value; `inspect` of a configuration tells it. */
export interface SettingPlaces {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** The level that counts: what the user set, or less where a workspace says so, never more. What is no level is `off`. */
export function toToolLevel({
  defaultValue,
  globalValue = defaultValue,
  workspaceValue,
  workspaceFolderValue,
}: SettingPlaces = {}): ToolLevel {
  const ranks = [workspaceFolderValue ?? 'full', workspaceValue ?? 'full', globalValue].map(value =>
    toolLevels.indexOf(value as ToolLevel),
  );
  return toolLevels[Math.max(0, Math.min(...ranks))] as ToolLevel;
}
