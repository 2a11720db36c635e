import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { CheckedFile, ManagedAgentsApi } from '../../api';
import { unlessCancelled, withToken } from '../../common/cancellation';
import { maskText } from '../../common/text/maskText';
import type { Problem } from '../../contract/problem';
import { contractLimits } from '../../jsonl/checking/batchRules';
import { safeId } from '../../shared/safeId';
import { toLabel } from '../../shared/text';
import { reach } from '../connection';
import { type LinkTarget, loadLinkOpening } from '../links';
import { withFileOnDisk } from '../requests';
import type { ExtensionApiDependencies } from './index';
import { toKnownBatch } from './knownBatch';

const name = z.string().min(1).max(100);
const id = z.string().regex(safeId);
const batchPlace = z.strictObject({ connection: name, batchId: id, customId: z.string().min(1).max(256).exactOptional() });
const sessionPlace = z.strictObject({ connection: name, sessionId: id, eventId: id.exactOptional() });
const uri = z.custom<vscode.Uri>(value => value instanceof vscode.Uri);
const token = z.custom<vscode.CancellationToken>(
  value => typeof (value as vscode.CancellationToken | undefined)?.onCancellationRequested === 'function',
);

type ApiCalls = Omit<ManagedAgentsApi, 'version' | 'onDidEndBatch'>;

/** Creates the functions that other extensions can call. `lifetime` aborts when the extension is deactivated. */
export function createApiCalls(deps: ExtensionApiDependencies, lifetime: AbortSignal): ApiCalls {
  const { registry } = deps;
  return {
    checkFile: async (file, given) => {
      const caller = given === undefined ? new vscode.CancellationTokenSource().token : demand(token, given, 'token');
      return await withToken(caller, signal => checkFile(deps, demand(uri, file, 'file'), signal), lifetime);
    },
    listBatches: async () => {
      await registry.reload();
      return registry.all().flatMap(submission => toKnownBatch(submission) ?? []);
    },
    openBatch: async batch => {
      const { connection, batchId, customId } = demand(batchPlace, batch, 'batch');
      return await open(deps, connection, { kind: 'batch', id: batchId, ...(customId !== undefined && { customId }) });
    },
    openSession: async session => {
      const { connection, sessionId, eventId } = demand(sessionPlace, session, 'session');
      return await open(deps, connection, { kind: 'session', id: sessionId, ...(eventId !== undefined && { event: eventId }) });
    },
  };
}

function demand<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const places = parsed.error.issues.map(({ path: at }) => [what, ...at].join('.'));
    throw new TypeError(`Invalid arguments for the Managed Agents API: ${[...new Set(places)].join(', ')}`);
  }
  return parsed.data;
}

async function open({ connections, registry }: ExtensionApiDependencies, connection: string, target: LinkTarget): Promise<boolean> {
  // Counts as a background request, because the other extension may call this without an action of the user.
  await reach(connections, connection, 'look');
  const { openLinked } = await loadLinkOpening();
  return await unlessCancelled(false, async () => {
    await openLinked(registry, connection, target);
    return true;
  });
}

async function checkFile(
  { context, connections, rules, jobs }: ExtensionApiDependencies,
  file: vscode.Uri,
  signal: AbortSignal,
): Promise<CheckedFile> {
  const folder = path.join((context.storageUri ?? context.globalStorageUri).fsPath, 'snapshots');
  const terms = { limits: connections.current?.limits ?? contractLimits, rules: rules.options(file), mostProblems: 1_000 };
  const report = await withFileOnDisk(file, folder, place => jobs.checkFile(place, terms, { signal }));
  const { lineCount, requestCount, problemCounts, problems } = report;
  return Object.freeze({
    lines: lineCount,
    requests: requestCount,
    counts: Object.freeze({ ...problemCounts }),
    problems: Object.freeze(problems.map(toChecked)),
  });
}

/** Converts a problem for other extensions. Masks secrets, because a message can quote the file. */
function toChecked({ rule, severity, text, line, start, end }: Problem): CheckedFile['problems'][number] {
  const message = toLabel(maskText(vscode.l10n.t(text.template, ...text.args)), 500);
  return Object.freeze({ rule, severity, message, line, start, end });
}
