import * as vscode from 'vscode';
import type { BaseUrl } from '../../../client/transport/baseUrl';
import { askChoice, askText, runSteps, type Step, separator } from '../../../common/asking/askSteps';
import type { Connection } from '../connection';
import type { ConnectionCommandContext } from '../connectionCommandContext';
import { saveConnection } from '../connectionConfiguration';
import { checkName, defaultLimits, listFormats, toNamesLabel, type WireFormat } from '../connectionSettings';
import { type ConnectionProblem, describeGroups, type Finding } from '../probing/probeFinding';
import { probeInPicker } from '../probing/probeInPicker';
import { askAddress, askInsecureHttp, askKey, askRemedy, storeKey } from './keyEntry';

/**
 * Asks for the address, key, dialect and name of a new connection. Probes the service in between and proposes a matching dialect. Saves
 * nothing before the last answer, and sends nothing before the user has entered address and key.
 */
export class AddConnection {
  private readonly title = vscode.l10n.t('Add Connection');
  private baseUrl: BaseUrl | undefined;
  private allowInsecureHttp = false;
  private key = '';
  private finding: Finding | undefined;
  private format: WireFormat = { auth: 'x-api-key', dialect: 'contract' };
  private isDialectGuess = false;
  private saved: Connection | undefined;

  constructor(private readonly context: ConnectionCommandContext) {}

  /** Asks for the connection, saves it and returns it. Rejects with `CancelledError` if the user cancels. */
  async run(): Promise<Connection> {
    await runSteps(this.askForAddress);
    if (this.saved === undefined) {
      throw new Error('No connection was created.');
    }
    return this.saved;
  }

  private readonly askForAddress: Step = async canGoBack => {
    const baseUrl = await askAddress({ ...this.question(1, canGoBack), value: this.baseUrl?.url });
    if (baseUrl.url !== this.baseUrl?.url) {
      this.allowInsecureHttp = false;
      this.finding = undefined;
    }
    this.baseUrl = baseUrl;
    return baseUrl.isInsecure && !this.allowInsecureHttp ? this.askForConsent : this.askForKey;
  };

  private readonly askForConsent: Step = async canGoBack => {
    this.allowInsecureHttp = await askInsecureHttp(this.question(1, canGoBack), this.address);
    return this.allowInsecureHttp ? this.askForKey : this.askForAddress;
  };

  private readonly askForKey: Step = async canGoBack => {
    const { origin } = this.address;
    this.key = await askKey({ ...this.question(2, canGoBack), origin, value: this.key });
    this.finding = undefined;
    return this.tryService;
  };

  private readonly tryService: Step = async canGoBack => {
    const problem = await this.probe();
    if (problem !== undefined) {
      return this.askRemedy(problem, canGoBack);
    }
    // The name or the format is part of this step, so that Back returns to the key.
    return this.isCertain ? this.askForName(canGoBack) : this.askForFormat(canGoBack);
  };

  /** Probes the service, unless it was probed with the same answers. Returns its problem, if any. */
  private async probe(): Promise<ConnectionProblem | undefined> {
    const { key, allowInsecureHttp } = this;
    this.finding ??= await probeInPicker(this.context, { baseUrl: this.address.url, key, allowInsecureHttp });
    this.format = this.finding.format ?? this.format;
    return this.finding.problem;
  }

  private async askRemedy(problem: ConnectionProblem, canGoBack: boolean): Promise<Step> {
    const title = vscode.l10n.t('No Connection to {0}', this.address.host);
    switch (await askRemedy({ title, canGoBack }, problem, this.address.url)) {
      case 'address':
        return this.askForAddress;
      case 'key':
        return this.askForKey;
      case 'again':
        this.finding = undefined;
        return this.tryService;
      case 'save':
        return this.askForFormat;
    }
  }

  private readonly askForFormat: Step = async canGoBack => {
    const t = vscode.l10n.t;
    const groups = this.finding?.format === undefined ? undefined : describeGroups(this.finding.groups, t).join(' ');
    const isGuess = this.finding?.format !== undefined && !this.finding.isDialectCertain;
    const names = toNamesLabel({ ...this.format, isDialectGuess: isGuess }, t);
    const [proposed, ...others] = listFormats(this.format, t);
    this.format = await askChoice<WireFormat>({
      ...this.question(3, canGoBack),
      placeholder: groups === undefined ? t('Select how to connect') : t('Connected. Confirm detected settings.'),
      choices: [
        ...(proposed === undefined
          ? []
          : [{ ...proposed, ...(groups === undefined ? {} : { label: `$(${isGuess ? 'question' : 'check'}) ${names}`, detail: groups }) }]),
        separator(t('more options')),
        ...others,
      ],
    });
    this.isDialectGuess = isGuess && this.format.dialect === this.finding?.format?.dialect;
    return this.askForName;
  };

  private readonly askForName: Step = async canGoBack => {
    const t = vscode.l10n.t;
    const { connections } = this.context.store.snapshot;
    const name = await askText({
      ...this.question(this.isCertain ? 3 : 4, canGoBack),
      value: freeName(this.address.host, connections),
      prompt: t('Connection name'),
      validate: text => checkName(text.trim(), connections, t),
    });
    await this.save(name.trim());
    return undefined;
  };

  /** Saves the key first, so that the connection is complete when it appears. Deletes the key again if the setting can't be written. */
  private async save(name: string): Promise<void> {
    const { store, keys, log } = this.context;
    const { url, origin } = this.address;
    const connection: Connection = {
      name,
      baseUrl: url,
      ...this.format,
      ...(this.isDialectGuess && { isDialectGuess: true }),
      extraBetas: [],
      limits: defaultLimits,
      allowInsecureHttp: this.allowInsecureHttp,
      isEmulator: false,
    };
    await storeKey(keys, name, { key: this.key, origin }, log);
    try {
      await saveConnection(connection);
    } catch (error) {
      await keys.forget(name);
      throw error;
    }
    await store.refresh();
    this.saved = connection;
  }

  private get address(): BaseUrl {
    if (this.baseUrl === undefined) {
      throw new Error('The address is missing.');
    }
    return this.baseUrl;
  }

  /** True if a response contained the names of the dialect, so that the user doesn't have to choose it. */
  private get isCertain(): boolean {
    return this.finding?.isDialectCertain === true && this.finding.format !== undefined;
  }

  private question(step: number, canGoBack: boolean) {
    return { title: this.title, step, totalSteps: Math.max(3, step, this.isCertain || this.finding === undefined ? 3 : 4), canGoBack };
  }
}

/** Returns the host as a name, with a number if that name is in use. */
function freeName(host: string, connections: readonly Connection[]): string {
  const taken = new Set(connections.map(({ name }) => name));
  let name = host;
  for (let number = 2; taken.has(name); number++) {
    name = `${host} ${number}`;
  }
  return name;
}
