import * as vscode from 'vscode';
import { commandLink } from '../../../common/commands';
import { describeError } from '../../../common/text/describeError';
import { escapeMarkdown } from '../../../common/text/escapeMarkdown';
import { files } from '../kinds/files';
import { retrieve } from '../resourceFlow';
import { toHover } from '../resourcePresentation';
import type { ResourcesView } from '../resourcesView';

type Resources = () => Promise<Pick<ResourcesView, 'flow'>>;

/** Returns the file whose ID is at a position of a request, on the connection of this window. */
async function fileAt(resources: Resources, document: vscode.TextDocument, position: vscode.Position) {
  const found = fileIdAt(document.lineAt(position).text, position.character);
  const flow = found && (await resources()).flow;
  const connection = flow?.service.connections.current?.name;
  return found === undefined || flow === undefined || connection === undefined
    ? undefined
    : { ...found, flow, reference: { connection, kind: files.kind, id: found.id } };
}

/** Returns the hover of a file ID in a request. Sends a background request, if background requests are allowed. */
export async function hoverOfFileId(
  resources: Resources,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.Hover | undefined> {
  const found = await fileAt(resources, document, position);
  if (found === undefined) {
    return undefined;
  }
  const { flow, reference, start, end } = found;
  const { connection } = reference;
  const text = await flow.service
    .reach(connection, 'look')
    .then(async reached => retrieve(flow, reached, reference))
    .then(
      value => toHover(files, { type: 'file', ...value }, connection, flow.presentation()),
      error => escapeMarkdown(describeError(error)),
    );
  return new vscode.Hover(new vscode.MarkdownString(text), new vscode.Range(position.line, start, position.line, end));
}

/** Returns a code action that opens the file with the ID in a request. */
export async function actionsOfFileId(
  resources: Resources,
  document: vscode.TextDocument,
  { active }: { readonly active: vscode.Position },
): Promise<vscode.CodeAction[]> {
  const found = await fileAt(resources, document, active);
  if (found === undefined) {
    return [];
  }
  const title = vscode.l10n.t('Show File');
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.Empty);
  action.command = commandLink('managedAgents.open', title, found.reference);
  return [action];
}

/** Number of characters searched on either side of a position. A line can have millions. */
const reach = 300;
const field = /"file_id"\s{0,20}:\s{0,20}"([^"\\]{1,200})"/g;

/** Returns the file ID in a request at a column of a line, with the range of its field. `undefined` if there is no ID. */
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
