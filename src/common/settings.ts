import * as vscode from 'vscode';
import type { Settings } from '../contributions';

/** The value of one of our settings, package.json's default included. */
export function readSetting<K extends keyof Settings>(key: K, scope?: vscode.ConfigurationScope): Settings[K] {
  const value = vscode.workspace.getConfiguration(undefined, scope).get<Settings[K]>(key);
  if (value === undefined) {
    throw new Error(`Setting ${key} has no default in package.json`);
  }
  return value;
}

/** A setting by who set it. */
export interface SettingLayers<T> {
  readonly default: T | undefined;
  /** As the user set it for all windows. */
  readonly user: T | undefined;
  /** As the workspace and the folder set it, the folder last: anybody who can commit to it can change that. */
  readonly folder: readonly T[];
}

/** The values of one of our settings by who set them, for those in which a folder must not overrule the user. */
export function readLayers<K extends keyof Settings>(key: K, scope?: vscode.ConfigurationScope): SettingLayers<Settings[K]> {
  const found = vscode.workspace.getConfiguration(undefined, scope).inspect<Settings[K]>(key);
  const folder = [found?.workspaceValue, found?.workspaceFolderValue].filter(value => value !== undefined);
  return { default: found?.defaultValue, user: found?.globalValue, folder };
}

/** Calls `listener` when any of `keys` changed. */
export function onDidChangeSettings(keys: readonly (keyof Settings)[], listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration(event => {
    if (keys.some(key => event.affectsConfiguration(key))) {
      listener();
    }
  });
}
