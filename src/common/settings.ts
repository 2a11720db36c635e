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

/** Calls `listener` when any of `keys` changed. */
export function onDidChangeSettings(keys: readonly (keyof Settings)[], listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration(event => {
    if (keys.some(key => event.affectsConfiguration(key))) {
      listener();
    }
  });
}
