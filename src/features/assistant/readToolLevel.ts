import * as vscode from 'vscode';
import { type ToolLevel, toToolLevel } from './toolLevel';

/** The level that counts in this window now. */
export function readToolLevel(): ToolLevel {
  return toToolLevel(vscode.workspace.getConfiguration().inspect('managedAgents.ai.tools'));
}
