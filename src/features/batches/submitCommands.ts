import * as vscode from 'vscode';
import type { CommandRegistry } from '../../common/commands';
import { combine } from '../../common/disposables';
import { Lazy } from '../../common/lazy';
import type { BatchReference } from '../../contributions';
import { type SheetChoice, sheetChoices } from '../../shared/sheet/sheetProtocol';
import { mayUse } from '../connection';
import { registerRunCommands } from './runCommands';
import type { CreateBatchDependencies } from './submitting/createBatchDependencies';

/**
 * The commands that show the sheet of a file, from which a batch is created, and those on what was sent. What they do is loaded when
 * one is used.
 */
export function registerSubmitCommands(
  deps: Omit<CreateBatchDependencies, 'lifetime'> & { readonly commands: CommandRegistry },
): vscode.Disposable {
  const { commands, registry } = deps;
  const lifetime = new AbortController();
  const creating: CreateBatchDependencies = { ...deps, lifetime: lifetime.signal };
  const sheets = new Lazy(async () => new (await import('./sheet/sheets')).Sheets(creating));
  const choose = async (given: vscode.Uri | undefined, isToSend: boolean) =>
    await (await import('./submitting/createBatchTarget')).chooseTarget(given, isToSend);
  return combine(
    sheets,
    vscode.window.registerWebviewPanelSerializer('managedAgents.sheet', {
      deserializeWebviewPanel: async (panel, state) => (await sheets.get()).restore(panel, state),
    }),
    registerRunCommands({ ...creating, commands }),
    { dispose: () => lifetime.abort() },
    commands.register('managedAgents.batch.create', async (given, choice, size) => {
      const target = await choose(fileOf(given), true);
      const wish = isChoice(choice) ? { choice, size } : undefined;
      return await (await sheets.get()).show(target, { wish });
    }),
    commands.register('managedAgents.file.check', async given =>
      (await sheets.get()).show(await choose(given, false), { isToSend: false }),
    ),
    commands.register('managedAgents.retry.plan', async target => {
      const { chooseRunToRetry } = await import('./retrying/chooseRunToRetry');
      const { file, runId } = await chooseRunToRetry(registry, target);
      return await (await sheets.get()).show(file, { wish: { choice: 'retry', runId }, isToSend: mayUse('change') });
    }),
  );
}

/** Returns the file that is given, or that of the row of a view. */
function fileOf(given: vscode.Uri | BatchReference | undefined): vscode.Uri | undefined {
  return given !== undefined && 'batchId' in given ? vscode.Uri.parse(given.source ?? '') : given;
}

/** Menus hand over things of their own after the URI. */
function isChoice(value: unknown): value is SheetChoice {
  return sheetChoices.some(choice => choice === value);
}
