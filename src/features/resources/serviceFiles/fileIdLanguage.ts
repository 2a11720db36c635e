import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import { files } from '../kinds/files';
import { retrieve } from '../resourceFlow';
import { toHover } from '../resourcePresentation';
import type { ResourcesView } from '../resourcesView';

/** Returns the hover of a file ID in a request. Sends a background request, if those are allowed. */
export async function hoverOfFileId(
  resources: () => Promise<ResourcesView>,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.Hover | undefined> {
  const found = fileIdAt(document.lineAt(position).text, position.character);
  if (found === undefined) {
    return undefined;
  }
  const { flow } = await resources();
  const { current } = flow.service.connections;
  if (current === undefined) {
    return undefined;
  }
  const reference = { connection: current.name, kind: files.kind, id: found.id };
  const text = await flow.service
    .reach(current.name, 'nobody')
    .then(async reached => retrieve(flow, reached, reference))
    .then(
      value => toHover(files, { type: 'file', ...value }, current.name, flow.presentation()),
      error => escapeMarkdown(error instanceof Error ? error.message : String(error)),
    );
  const { line } = position;
  return new vscode.Hover(new vscode.MarkdownString(text), new vscode.Range(line, found.start, line, found.end));
}

/** Returns a code action that opens the file with the ID in a request. */
export async function actionsOfFileId(
  resources: () => Promise<ResourcesView>,
  document: vscode.TextDocument,
  { active }: { readonly active: vscode.Position },
): Promise<vscode.CodeAction[]> {
  const found = fileIdAt(document.lineAt(active).text, active.character);
  const connection = found === undefined ? undefined : (await resources()).flow.service.connections.current?.name;
  if (found === undefined || connection === undefined) {
    return [];
  }
  const title = vscode.l10n.t('Show File');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.Empty);
  action.command = commandLink('managedAgents.open', title, { connection, kind: files.kind, id: found.id });
  return [action];
}

/** Number of characters searched on either side of a position: lines can have millions. */
const reach = 300;
const field = /"file_id"\s{0,20}:\s{0,20}"([^"\\]{1,200})"/g;

/** Returns the file ID in a request at a column of a line, with the range of its field. `undefined` if there is none. */
export function fileIdAt(line: string, column: number): { readonly id: string; readonly start: number; readonly end: number } | undefined {
  const from = Math.max(0, column - reach);
  const near = line.slice(from, column + reach);
  for (const match of near.matchAll(field)) {
    const start = from + match.index;
    const end = start + match[0].length;
    if (start <= column && column <= end) {
      return { id: match[1] ?? '', start, end };
    }
  }
  return undefined;
}
