import * as vscode from 'vscode';
import { confirmModal } from '../../../../common/asking/confirmChange';
import { askFiles } from '../../../../common/asking/newFile';
import { isCancellation } from '../../../../common/cancellation';
import { fileNameOf } from '../../../../common/files/fileNameOf';
import { imageTypeOf } from '../../../../common/files/mediaTypes';
import { describeError } from '../../../../common/text/describeError';
import { toByteSize, toLabel } from '../../../../shared/text';
import { toFileText } from '../../composing/fileText';
import type { Conversation, SendResult } from '../../live/conversation';

/** File sizes above which a confirmation is needed, and above which a file is never sent, in bytes. */
const askBytes = 1_000_000;
const maxBytes = 20_000_000;

/** Asks for the file with the result of a custom tool, and reads it. Throws a `CancelledError` if the user cancels. */
async function askForResultFile(tool: string) {
  const { t } = vscode.l10n;
  const [file] = await askFiles({ title: t('Result of {0}', toLabel(tool, 80)), openLabel: t('Send as Result') });
  const name = toLabel(fileNameOf(file), 80);
  const bytes = (await vscode.workspace.fs.stat(file)).size;
  const size = toByteSize(bytes, vscode.env.language);
  if (bytes > maxBytes) {
    throw new Error(t('{0} was not sent: {1}, more than {2}.', name, size, toByteSize(maxBytes)));
  }
  if (bytes > askBytes) {
    const question = t('Send {0} as the result of {1}?', name, toLabel(tool, 80));
    await confirmModal(question, t('The model reads the whole session ({0}).', size), t('Send {0}', size));
  }
  const content = toContentBlocks(await vscode.workspace.fs.readFile(file));
  if (content === undefined) {
    throw new Error(t('{0} was not sent: use text, PNG, JPEG, GIF, WebP or PDF.', name));
  }
  return { name, size, content };
}

/** Asks the user for a file and sends its content as the result of a custom tool. */
export async function sendResultFile(actions: Conversation, clientId: string, eventId: string): Promise<SendResult> {
  const ask = actions.openAsk(eventId);
  try {
    const file = ask && (await askForResultFile(ask.tool));
    const result = await actions.customResult(clientId, eventId, file?.content ?? [], false);
    if (result.ok && file !== undefined) {
      vscode.window.setStatusBarMessage(vscode.l10n.t('Sent {0} ({1}) as the result', file.name, file.size), 5000);
    }
    return result;
  } catch (error) {
    return isCancellation(error) ? { ok: false } : { ok: false, problem: describeError(error) };
  }
}

/** Returns the content blocks for a file as a tool's result (API facts, 8.1). `undefined` unless the file is an image, PDF or text. */
export function toContentBlocks(bytes: Uint8Array): readonly object[] | undefined {
  const mediaType = imageTypeOf(bytes)?.mediaType;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (mediaType !== undefined) {
    return [{ type: 'image', source: { type: 'base64', media_type: mediaType, data: buffer.toString('base64') } }];
  }
  if (buffer.subarray(0, 5).toString('latin1') === '%PDF-') {
    return [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: buffer.toString('base64') } }];
  }
  const text = toFileText(bytes);
  return text === undefined ? undefined : text === '' ? [] : [{ type: 'text', text }];
}
