import * as vscode from 'vscode';
import type { NetworkOptions } from '../../../client/clientOptions';
import type { Log } from '../../../common/log';

/** Network options for connections, from VS Code's settings and the environment. Read on first use. */
export class Network implements vscode.Disposable {
  private options: Promise<NetworkOptions> | undefined;
  /** Settings as last read. `undefined` before the first read, when no client can be outdated yet. */
  private settings: string | undefined;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;

  /** Fires when the settings have changed, so that existing clients are outdated. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly log: Log) {
    this.subscription = vscode.workspace.onDidChangeConfiguration(() => {
      // Compares values, because an event can list unchanged settings and omit changed settings.
      if (this.settings !== undefined && this.settings !== readAll()) {
        this.settings = readAll();
        this.options = undefined;
        this.changed.fire();
      }
    });
  }

  read(): Promise<NetworkOptions> {
    this.settings ??= readAll();
    this.options ??= this.load();
    return this.options;
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private async load(): Promise<NetworkOptions> {
    // Imported here, because nothing connects while VS Code starts.
    const { readCertificateAuthorities, toNetworkOptions } = await import('./networkOptions');
    const environment = process.env;
    const noProxy = readUserSetting('http.noProxy');
    const authorization = readUserSetting('http.proxyAuthorization');
    const proxy = readUserSetting('http.proxy');
    const support = readUserSetting('http.proxySupport');
    return toNetworkOptions({
      proxy: typeof proxy === 'string' ? proxy : '',
      noProxy: Array.isArray(noProxy) ? noProxy.filter(entry => typeof entry === 'string') : [],
      proxySupport: typeof support === 'string' ? support : 'override',
      strictSsl: readUserSetting('http.proxyStrictSSL') !== false,
      proxyAuthorization: typeof authorization === 'string' && authorization !== '' ? authorization : undefined,
      environment,
      certificateAuthorities: await readCertificateAuthorities({
        useSystem: readUserSetting('http.systemCertificates') !== false,
        environment,
        warn: message => this.log.warn(message),
      }),
    });
  }
}

const settingNames = [
  'http.proxy',
  'http.noProxy',
  'http.proxySupport',
  'http.proxyStrictSSL',
  'http.proxyAuthorization',
  'http.systemCertificates',
] as const;

function readAll(): string {
  return JSON.stringify(settingNames.map(readUserSetting));
}

/** Reads a setting of the user, the machine or a policy. A workspace must not decide about proxies and certificates. */
function readUserSetting(name: (typeof settingNames)[number]): unknown {
  const configuration = vscode.workspace.getConfiguration();
  const found = configuration.inspect<unknown>(name);
  if (found?.workspaceValue === undefined && found?.workspaceFolderValue === undefined) {
    return configuration.get<unknown>(name);
  }
  return found.globalValue ?? found.defaultValue;
}
