import http from 'node:http';
import * as vscode from 'vscode';
import { askText } from '../../../common/asking/askSteps';
import { showInformation, showWarning } from '../../../common/asking/notifications';
import type { Translate } from '../../../common/text/translate';
import type { LocalDelivery } from './webhookReceiver';

// Maximum time to wait for the response, in milliseconds.
const responseTimeout = 10_000;
/** Headers that belong to the connection, not to the delivery. */
const ofConnection: ReadonlySet<string> = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect']);

/** Sends a delivery again, byte for byte, to an address of this machine that the user enters. Returns that address. */
export async function sendAgain(delivery: LocalDelivery, before: string): Promise<string> {
  const { t } = vscode.l10n;
  const text = await askText({
    title: t('Send a Delivery Again'),
    prompt: t('Local address to send to'),
    value: before,
    placeholder: 'http://127.0.0.1:3000/hook',
    validate: address => addressProblem(address, t),
  });
  try {
    const status = await post(new URL(text), delivery);
    if (status >= 200 && status < 300) {
      void showInformation(t('Delivered to {0} ({1})', text, status));
    } else {
      void showWarning(t('Rejected by {0} ({1})', text, status));
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new Error(t("{0} couldn't be reached ({1}).", text, code), { cause: error });
  }
  return text;
}

function post(url: URL, { headers, body }: LocalDelivery): Promise<number> {
  const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(responseTimeout);
    const request = http.request(url, { method: 'POST', headers: { ...sent, 'content-length': body.byteLength }, signal }, response => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once('error', reject);
    request.end(body);
  });
}

/** Explains why a delivery can't be sent to an address. Returns `undefined` for a valid address of this machine. */
export function addressProblem(text: string, translate: Translate): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHere =
    url?.protocol === 'http:' && (url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(url.hostname));
  return isHere ? undefined : translate('Enter a URL on this machine that starts with http://');
}
