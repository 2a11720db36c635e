import * as vscode from 'vscode';
import { RequestSchema, type SchemaNode } from '../../../jsonl/guide/schemaNode';

/** Reads the schema of requests that comes with the extension. */
export async function readRequestSchema(extension: vscode.Uri): Promise<RequestSchema> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, 'media/schemas/request.schema.json'));
  return new RequestSchema(JSON.parse(new TextDecoder().decode(bytes)) as SchemaNode);
}
