import * as vscode from 'vscode';
import { type ToolLevel, toToolLevel } from './toolLevel';

/** Returns the tool level of this window. */
export function readToolLevel(): ToolLevel {
  return toToolLevel(vscode.workspace.getConfiguration().inspect('managedAgents.ai.tools'));
}
