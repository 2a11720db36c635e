import * as vscode from 'vscode';
import { parseBaseUrl } from '../../../client/transport/baseUrl';
import { askChoice, type Choice } from '../../../common/asking/askSteps';
import { unlessCancelled } from '../../../common/cancellation';
import { toLabel } from '../../../shared/text';
import type { Connection } from '../connection';
import type { ConnectionCommandContext } from '../connectionCommandContext';
import { openConnectionSettings, replaceConnection } from '../connectionConfiguration';
import { listFormats, toAuthLabel, toNamesLabel, type WireFormat } from '../connectionSettings';
import { describeKey } from '../connectionStore';
import { askAddress, askInsecureHttp } from './keyEntry';

type Field = 'baseUrl' | 'allowInsecureHttp' | 'format';
type Act = Field | 'key' | 'settings' | 'test';

/**
 * Shows the main fields of a connection and lets the user change them one by one. Other fields are edited in the settings file. Saves each
 * change immediately, so that Escape loses nothing. Returns true if the user wants to test the connection.
 */
export async function editConnection(
  context: ConnectionCommandContext,
  name: string,
  setKey: (name: string) => Promise<void>,
): Promise<boolean> {
  const t = vscode.l10n.t;
  let last: Act = 'test';
  for (;;) {
    const connection = context.store.find(name);
    if (connection === undefined) {
      throw new Error(t('There is no connection "{0}". Add it, or switch to another.', toLabel(name)));
    }
    const chosen: Act = await askChoice<Act>({
      title: t('Edit Connection {0}', toLabel(name, 60)),
      placeholder: t('Select an action for {0}', toLabel(connection.baseUrl, 100)),
      choices: toChoices(context, connection),
      active: last,
    });
    last = chosen;
    if (chosen === 'test') {
      return true;
    }
    if (chosen === 'settings') {
      await openConnectionSettings();
      return false;
    }
    if (chosen === 'key') {
      await setKey(name);
    } else {
      // Escape in a field goes back to the list of fields.
      const changed = await unlessCancelled(undefined, () => askField(connection, chosen));
      if (changed !== undefined) {
        await replaceConnection(changed);
      }
    }
    await context.store.refresh();
    if (chosen === 'baseUrl' && context.store.snapshot.keys.get(name)?.kind === 'otherOrigin') {
      last = 'key';
    }
  }
}

function toChoices({ store }: ConnectionCommandContext, connection: Connection): readonly Choice<Act>[] {
  const t = vscode.l10n.t;
  const key = store.snapshot.keys.get(connection.name) ?? { kind: 'missing' };
  const parsed = parseBaseUrl(connection.baseUrl);
  const isInsecure = typeof parsed !== 'string' && parsed.isInsecure;
  return [
    { label: `$(link) ${t('Address')}`, description: connection.baseUrl, value: 'baseUrl' },
    {
      label: `$(${key.kind === 'usable' ? 'key' : 'warning'}) ${t('API key')}`,
      description: key.kind === 'usable' ? describeKey(connection, key, t) : t('not set'),
      ...(key.kind === 'usable'
        ? {}
        : {
            detail: key.kind === 'otherOrigin' ? t('The stored key belongs to {0}.', key.origin) : describeKey(connection, key, t),
          }),
      value: 'key',
    },
    {
      label: `$(symbol-string) ${t('API Names and Key Header')}`,
      description: `${toNamesLabel(connection, t)}; ${toAuthLabel(connection.auth)}`,
      value: 'format',
    },
    ...(isInsecure || connection.allowInsecureHttp
      ? [
          {
            label: `$(unlock) ${t('Plain http')}`,
            description: connection.allowInsecureHttp ? t('allowed') : t('blocked'),
            value: 'allowInsecureHttp' as const,
          },
        ]
      : []),
    { label: `$(settings-gear) ${t('Open Settings')}`, description: t('betas and limits'), value: 'settings' },
    { label: `$(pulse) ${t('Test Connection')}`, value: 'test' },
  ];
}

/** Returns the connection with one field changed, or `undefined` if nothing changed. */
async function askField(connection: Connection, field: Field): Promise<Connection | undefined> {
  const t = vscode.l10n.t;
  const title = t('Edit Connection {0}', toLabel(connection.name, 60));
  switch (field) {
    case 'baseUrl': {
      const baseUrl = await askAddress({ title, value: connection.baseUrl });
      // The user has allowed plain http for one host only.
      const sameHost = parseBaseUrl(connection.baseUrl);
      const kept = typeof sameHost !== 'string' && sameHost.origin === baseUrl.origin && connection.allowInsecureHttp;
      if (!baseUrl.isInsecure || kept) {
        return { ...connection, baseUrl: baseUrl.url, allowInsecureHttp: kept };
      }
      return (await askInsecureHttp({ title }, baseUrl)) ? { ...connection, baseUrl: baseUrl.url, allowInsecureHttp: true } : undefined;
    }
    case 'allowInsecureHttp': {
      const baseUrl = parseBaseUrl(connection.baseUrl);
      if (connection.allowInsecureHttp || typeof baseUrl === 'string') {
        return { ...connection, allowInsecureHttp: false };
      }
      return (await askInsecureHttp({ title }, baseUrl)) ? { ...connection, allowInsecureHttp: true } : undefined;
    }
    case 'format': {
      const placeholder = t('Select how to connect');
      const format = await askChoice<WireFormat>({ title, placeholder, choices: listFormats(connection, t) });
      return { ...connection, ...format, isDialectGuess: false };
    }
  }
}
