import * as vscode from 'vscode';
import type { NetworkOptions } from '../../../client/clientOptions';
import { ByValue } from '../../../common/byValue';
import type { Log } from '../../../common/log';

/** How connections leave this machine, by VS Code's own settings and the environment; read when first asked for. */
export class Network implements vscode.Disposable {
  private options: Promise<NetworkOptions> | undefined;
  /** What was read; nobody has anything that could be out of date before. */
  private seen: ByValue | undefined;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly subscription: vscode.Disposable;

  /** Fires when the settings changed, so that clients built from the old ones are out of date. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly log: Log) {
    this.subscription = vscode.workspace.onDidChangeConfiguration(() => {
      if (this.seen?.hasChanged() === true) {
        this.options = undefined;
        this.changed.fire();
      }
    });
  }

  read(): Promise<NetworkOptions> {
    // By value: an event names settings that read the same as before, and may not name one whose value here is another now.
    this.seen ??= new ByValue(() => settingNames.map(readUserSetting));
    this.options ??= this.load();
    return this.options;
  }

  dispose(): void {
    this.subscription.dispose();
    this.changed.dispose();
  }

  private async load(): Promise<NetworkOptions> {
    // Nothing connects while VS Code starts.
    const [{ readCertificateAuthorities }, { toNetworkOptions }] = await Promise.all([
      import('./certificates'),
      import('./networkOptions'),
    ]);
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
        platform: process.platform,
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

/** A setting as the user, the machine or a policy has it: no file of a workspace decides about proxies or certificates. */
function readUserSetting(name: (typeof settingNames)[number]): unknown {
  const configuration = vscode.workspace.getConfiguration();
  const found = configuration.inspect<unknown>(name);
  if (found?.workspaceValue === undefined && found?.workspaceFolderValue === undefined) {
    return configuration.get<unknown>(name);
  }
  return found.globalValue ?? found.defaultValue;
}
