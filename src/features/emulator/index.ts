import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { afterStart } from '../../common/afterStart';
import { offer, showFailure, showInformation } from '../../common/asking/notifications';
import { type CommandRegistry, runCommand } from '../../common/commands';
import { setContextKey } from '../../common/contextKeys';
import { combine } from '../../common/disposables';
import type { Log } from '../../common/log';
import { onDidChangeSettings, readSetting } from '../../common/settings';
import { isWindowThere } from '../../common/windowUse';
import type { EmulatorOptions } from '../../emulator/server';
import { toLabel } from '../../shared/text';
import { type EmulatorHost, EmulatorThread } from './emulatorThread';
import type { EmulatorWorker } from './emulatorWorker';

export type { EmulatorHost, RunningEmulator } from './emulatorThread';

interface EmulatorDependencies {
  readonly context: vscode.ExtensionContext;
  readonly commands: CommandRegistry;
  readonly log: Log;
}

/** Registers the emulator of this window, and the commands to start and stop it. Each workspace has its own emulator data. */
export function registerEmulator({ context, commands, log }: EmulatorDependencies): EmulatorHost & vscode.Disposable {
  let worker: EmulatorWorker | undefined;
  const host = new EmulatorThread(async () => {
    const { EmulatorWorker } = await import('./emulatorWorker');
    const file = context.asAbsolutePath('dist/emulatorThread.js');
    const created = new EmulatorWorker(file, readOptions(context), () => void keepOrGiveWay(created, host, log));
    worker = created;
    return created;
  });
  const showState = () => {
    const { running } = host;
    if (running !== undefined) {
      log.hide(running.key);
    }
    setContextKey('managedAgents.emulatorRunning', running !== undefined);
    log.debug(running === undefined ? 'The emulator does not run.' : `The emulator answers at ${running.url}.`);
    if (running?.isOther === true) {
      log.info('The emulator runs in another window of this folder.');
    }
  };
  const subscriptions = combine(
    host,
    afterStart(showState),
    host.onDidChange(showState),
    host.onDidCrash(error => void showCrash(error, log)),
    onDidChangeSettings(['managedAgents.emulator.batchSeconds'], () => worker?.setScenario(readScenario())),
    commands.register('managedAgents.emulator.start', () => startWithProgress(host)),
    commands.register('managedAgents.emulator.stop', () => stopByCommand(host)),
  );
  return {
    get running() {
      return host.running;
    },
    get isStarting() {
      return host.isStarting;
    },
    onDidChange: host.onDidChange,
    onDidStartByCommand: host.onDidStartByCommand,
    start: () => host.start(),
    stop: () => host.stop(),
    dispose: () => subscriptions.dispose(),
  };
}

function readOptions(context: vscode.ExtensionContext): EmulatorOptions {
  return { stateFolder: emulatorFolder((context.storageUri ?? context.globalStorageUri).fsPath), scenario: readScenario() };
}

function readScenario(): { readonly batchDuration: number } {
  const seconds: unknown = readSetting('managedAgents.emulator.batchSeconds');
  const usable = typeof seconds === 'number' && seconds >= 0 && seconds <= 86_400;
  return { batchDuration: (usable ? seconds : 10) * 1000 };
}

/** Responds to another emulator that requests the data of this window's emulator. Hands the data over only if this window is gone. */
async function keepOrGiveWay(worker: EmulatorWorker, host: EmulatorHost, log: Log): Promise<void> {
  if (await isWindowThere()) {
    worker.keep();
  } else {
    log.info('The window of this emulator has closed, and another window takes over its data.');
    await host.stop();
  }
}

async function startWithProgress(host: EmulatorThread): Promise<void> {
  const title = vscode.l10n.t('Starting the emulator');
  try {
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => host.startByCommand());
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(vscode.l10n.t("Couldn't start the emulator: {0}", words), { cause: error });
  }
}

async function stopByCommand(host: EmulatorHost): Promise<void> {
  const isOther = host.running?.isOther === true;
  await host.stop();
  if (isOther) {
    await showInformation(vscode.l10n.t('The emulator is running in another window of this folder.'));
  }
}

async function showCrash(error: Error, log: Log): Promise<void> {
  log.error('The emulator ended unexpectedly', error);
  const message = vscode.l10n.t('The emulator stopped: {0}. Its data is kept.', toLabel(error.message.replace(/\.$/, '')));
  await offer(
    showFailure,
    message,
    [vscode.l10n.t('Start Again'), () => runCommand('managedAgents.emulator.start')],
    [vscode.l10n.t('Show Log'), async () => log.show()],
  );
}

/**
 * Returns the data folder of a window's emulator. `storage` is the extension's folder for the workspace. A folder may be open in another
 * window, or the extension host of a closed window may still be running. VS Code then gives the new window its own storage, `ID-1` to
 * `ID-9` next to the first window's `ID`. All of these windows use the first window's folder. Only one emulator owns the folder at a time.
 */
export function emulatorFolder(storage: string): string {
  const own = path.dirname(storage);
  const first = own.replace(/(?<=[^\\/])-[1-9]$/, '');
  return path.join(existsSync(first) ? first : own, path.basename(storage), 'emulator');
}
