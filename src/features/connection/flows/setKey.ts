import * as vscode from 'vscode';
import { toOrigin } from '../../../client/transport/baseUrl';
import { toLabel } from '../../../shared/text';
import type { Connection } from '../connection';
import type { ConnectionCommandContext } from '../connectionCommandContext';
import { probeInPicker } from '../probing/probeInPicker';
import { askRemedy } from './askRemedy';
import { askKey, storeKey } from './keyEntry';

/** Asks for the key of a connection, tries it, and stores it for the connection's origin. */
export async function setKey(
  context: ConnectionCommandContext,
  connection: Connection,
  changeAddress: (name: string) => Promise<void>,
): Promise<void> {
  const { name, baseUrl, allowInsecureHttp } = connection;
  const origin = toOrigin(baseUrl);
  const title = vscode.l10n.t('API key for {0}', toLabel(name, 60));
  for (;;) {
    const key = await askKey({ title, origin });
    const answer = await tryKey(context, { baseUrl, key, allowInsecureHttp }, title);
    if (answer === 'address') {
      return changeAddress(name);
    }
    if (answer === 'save') {
      await storeKey(context.keys, name, { key, origin }, context.log);
      await context.store.refresh();
      return;
    }
  }
}

/** Tries a key until it works or the user chooses another remedy. */
async function tryKey(
  context: ConnectionCommandContext,
  target: { readonly baseUrl: string; readonly key: string; readonly allowInsecureHttp: boolean },
  title: string,
): Promise<'save' | 'key' | 'address'> {
  for (;;) {
    const { problem } = await probeInPicker(context, target);
    if (problem === undefined) {
      return 'save';
    }
    const answer = await askRemedy({ title }, problem, target.baseUrl);
    if (answer !== 'again') {
      return answer;
    }
  }
}
