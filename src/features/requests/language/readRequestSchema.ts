import * as vscode from 'vscode';
import { RequestSchema, type SchemaNode } from '../../../jsonl/guide/schemaNode';

/** Reads the schema of requests from the extension's files. */
export async function readRequestSchema(extension: vscode.Uri): Promise<RequestSchema> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extension, 'media/schemas/request.schema.json'));
  return new RequestSchema(JSON.parse(new TextDecoder().decode(bytes)) as SchemaNode);
}
