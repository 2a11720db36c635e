import * as vscode from 'vscode';
import type { Settings } from '../contributions';

/** Returns the value of one of our settings, including package.json's default. */
export function readSetting<K extends keyof Settings>(key: K, scope?: vscode.ConfigurationScope): Settings[K] {
  const value = vscode.workspace.getConfiguration(undefined, scope).get<Settings[K]>(key);
  if (value === undefined) {
    throw new Error(`Setting ${key} has no default in package.json`);
  }
  return value;
}

export interface SettingLayers<T> {
  readonly default: T | undefined;
  readonly user: T | undefined;
  /** Values in the workspace and folder settings, with the folder's value last. Anyone who can commit to the repository can change them. */
  readonly folder: readonly T[];
}

/** Reads the layers of a setting whose user value a folder must not override. */
export function readLayers<K extends keyof Settings>(key: K, scope?: vscode.ConfigurationScope): SettingLayers<Settings[K]> {
  const found = vscode.workspace.getConfiguration(undefined, scope).inspect<Settings[K]>(key);
  const folder = [found?.workspaceValue, found?.workspaceFolderValue].filter(value => value !== undefined);
  return { default: found?.defaultValue, user: found?.globalValue, folder };
}

export function onDidChangeSettings(keys: readonly (keyof Settings)[], listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration(event => {
    if (keys.some(key => event.affectsConfiguration(key))) {
      listener();
    }
  });
}
