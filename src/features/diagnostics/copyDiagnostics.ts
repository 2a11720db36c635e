import * as vscode from 'vscode';
import { isLoopback } from '../../client/transport/baseUrl';
import { offer, showInformation } from '../../common/asking/notifications';
import type { ReadonlyDocuments } from '../../common/documents/readonlyDocuments';
import { isRecord } from '../../shared/isRecord';
import { redact } from '../../shared/redaction';
import type { Connection, RecentCall } from '../connection';
import type { Submission } from '../ledger';
import type { DiagnosticsDependencies } from '.';

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
  const open = () => vscode.window.showTextDocument(reports.create('diagnostics.md', report), { preview: false });
  await offer(showInformation, vscode.l10n.t('Diagnostics copied. Review them before you share them.'), [vscode.l10n.t('Open'), open]);
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

/** Returns the kind of a remote. Replaces a name that can be an address, as in a browser. */
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

/** Setting of the extension from the manifest, with its value. */
interface SettingFact {
  readonly key: string;
  readonly type: unknown;
  readonly words: readonly unknown[] | undefined;
  readonly standard: unknown;
  readonly value: unknown;
}

/** Content of a report. */
export interface DiagnosticsFacts {
  /** Names and values that describe the machine, VS Code and the window. */
  readonly surroundings: readonly (readonly [name: string, value: string])[];
  readonly connections: readonly Connection[];
  readonly current: Connection | undefined;
  readonly connectionState: string;
  readonly settings: readonly SettingFact[];
  readonly submissions: readonly Submission[];
  readonly calls: readonly RecentCall[];
  /** Current time in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Formats a report for an issue as Markdown, in English. Contains no user-defined names (of connections, files or folders), no addresses,
 * no IDs except request IDs, and no text of requests, answers or events.
 */
export function toDiagnosticsReport(facts: DiagnosticsFacts): string {
  const parts = [
    '# Managed Agents diagnostics',
    table(['', ''], facts.surroundings),
    '## Connections',
    toConnections(facts),
    '## Settings that differ',
    toSettings(facts.settings),
    '## Submissions on this machine',
    toSubmissions(facts.submissions),
    '## Last calls',
    toCalls(facts.calls, facts.now),
  ];
  return redact(`${parts.join('\n\n')}\n`);
}

function toConnections({ connections, current, connectionState }: DiagnosticsFacts): string {
  const rows = connections.map(connection => [
    connection.name === current?.name ? `in use, ${connectionState}` : '',
    toAddress(connection),
    connection.auth,
    connection.dialect,
    String(connection.extraBetas.length),
    `${connection.limits.maxRequests} requests, ${connection.limits.maxBytes} bytes`,
  ]);
  return table(['', 'Service', 'Key as', 'Wire format', 'Extra betas', 'Limits'], rows);
}

function toAddress({ baseUrl, isEmulator }: Connection): string {
  if (isEmulator) {
    return 'emulator';
  }
  if (!URL.canParse(baseUrl)) {
    return 'no address';
  }
  const { protocol, hostname, pathname } = new URL(baseUrl);
  const scheme = protocol.replace(':', '');
  return `${scheme}, ${isLoopback(hostname) ? 'this machine' : 'another machine'}${pathname === '/' ? '' : ', with a path'}`;
}

function toSettings(settings: readonly SettingFact[]): string {
  const rows = settings
    .filter(({ standard, value }) => JSON.stringify(value) !== JSON.stringify(standard))
    .map(setting => [setting.key, toSettingValue(setting)]);
  return rows.length === 0 ? 'None.' : table(['Setting', 'Value'], rows);
}

/** Returns the value of a setting that can't contain personal data. For any other setting, returns only whether it is set. */
function toSettingValue({ type, words, value }: SettingFact): string {
  const isOwnWord =
    (type === 'boolean' || type === 'number' || type === 'integer') && typeof value === (type === 'integer' ? 'number' : type);
  if (isOwnWord || words?.includes(value)) {
    return String(value);
  }
  const count = typeof value === 'object' && value !== null ? Object.keys(value).length : undefined;
  return count === undefined ? 'set' : `set, ${count} ${count === 1 ? 'entry' : 'entries'}`;
}

function toSubmissions(submissions: readonly Submission[]): string {
  const counts = new Map<string, number>();
  for (const submission of submissions) {
    const words = toStateWords(submission);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const rows = [...counts].sort(([one], [other]) => (one < other ? -1 : 1)).map(([words, count]) => [words, String(count)]);
  return rows.length === 0 ? 'None.' : table(['State', 'Submissions'], rows);
}

function toStateWords({ state, batch, deleted, results, fetching, group }: Submission): string {
  const words: string[] = [state];
  if (deleted) {
    words.push('deleted');
  } else if (batch !== undefined) {
    words.push(/^[a-z_]{1,30}$/.test(batch.processing_status) ? batch.processing_status : 'unfamiliar status');
  }
  if (results !== undefined) {
    words.push('results fetched');
  }
  if (fetching !== undefined) {
    words.push(`${fetching.tries} tries to fetch`);
  }
  if (group !== undefined) {
    words.push('part of a group');
  }
  return words.join(', ');
}

function toCalls(calls: readonly RecentCall[], now: number): string {
  const rows = calls.map(({ method, path, status, failure, milliseconds, requestId, endedAt }) => [
    `${Math.max(0, Math.round((now - endedAt) / 1000))} s ago`,
    `${method} /v1${toRoute(path)}`,
    status === undefined ? (failure ?? 'unknown') : String(status),
    `${milliseconds} ms`,
    toRequestId(requestId),
  ]);
  return rows.length === 0 ? 'None.' : table(['When', 'Call', 'Answer', 'Took', 'Request ID'], rows);
}

/** Replaces the IDs in a path. Every segment that is not part of the service's routes is an ID. */
function toRoute(path: string): string {
  const segments = path.split('?', 1)[0]?.split('/') ?? [];
  return segments
    .map(segment => (segment === '' || /^[a-z]{1,20}(?:_(?:stores|versions|runs|tokens|secret))?$/.test(segment) ? segment : '{id}'))
    .join('/');
}

function toRequestId(requestId: string | undefined): string {
  if (requestId === undefined) {
    return 'none';
  }
  return /^[\w.:-]{1,80}$/.test(requestId) ? requestId : 'of an odd form';
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replace(/[|\r\n]/g, ' ')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
