import * as vscode from 'vscode';
import { showInformation } from '../../common/asking/notifications';
import type { ReadonlyDocuments } from '../../common/documents/readonlyDocuments';
import { isRecord } from '../../shared/isRecord';
import type { DiagnosticsDependencies } from '.';
import { type SettingFact, toDiagnosticsReport } from './diagnosticsReport';

/** Copies a report for an issue to the clipboard, and offers to show it. Sends nothing. */
export async function copyDiagnostics(deps: DiagnosticsDependencies, reports: ReadonlyDocuments): Promise<void> {
  const { context, connections, recentCalls, registry } = deps;
  await registry.load();
  const manifest: unknown = context.extension.packageJSON;
  const report = toDiagnosticsReport({
    surroundings: readSurroundings(isRecord(manifest) ? String(manifest.version) : ''),
    connections: connections.all(),
    current: connections.current,
    connectionState: connections.state,
    settings: readSettings(manifest),
    submissions: registry.all(),
    calls: recentCalls.list(),
    now: Date.now(),
  });
  await vscode.env.clipboard.writeText(report);
  const open = vscode.l10n.t('Open');
  if ((await showInformation(vscode.l10n.t('Diagnostics copied. Review them before you share them.'), open)) === open) {
    const document = await vscode.workspace.openTextDocument(reports.create('diagnostics.md', report));
    await vscode.window.showTextDocument(document, { preview: false });
  }
}

function readSurroundings(version: string): readonly (readonly [string, string])[] {
  const folders = vscode.workspace.workspaceFolders?.length ?? 0;
  return [
    ['Extension', version],
    ['VS Code', `${vscode.version}, ${vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop'}, ${vscode.env.language}`],
    ['Machine', `${process.platform} ${process.arch}, Node ${process.versions.node}`],
    ['Remote', toRemote(vscode.env.remoteName)],
    ['Workspace', `${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}, folders: ${folders}`],
  ];
}

/** Returns the kind of a remote. In a browser, the remote name can be an address. It is then replaced. */
function toRemote(name: string | undefined): string {
  if (name === undefined) {
    return 'none';
  }
  return /^[a-z][a-z-]{0,30}$/.test(name) ? name : 'a server';
}

function readSettings(manifest: unknown): readonly SettingFact[] {
  const contributes = isRecord(manifest) && isRecord(manifest.contributes) ? manifest.contributes : {};
  const { properties } = isRecord(contributes.configuration) ? contributes.configuration : {};
  return Object.entries(isRecord(properties) ? properties : {}).map(([key, property]) => {
    const { type, enum: words, default: standard } = isRecord(property) ? property : {};
    const value: unknown = vscode.workspace.getConfiguration().get(key);
    return { key, type, words: Array.isArray(words) ? words : undefined, standard, value };
  });
}
