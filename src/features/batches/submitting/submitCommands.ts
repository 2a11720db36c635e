import * as vscode from 'vscode';
import type { CommandRegistry } from '../../../common/commands';
import { combine } from '../../../common/disposables';
import { Lazy } from '../../../common/lazy';
import type { BatchReference } from '../../../contributions';
import { type SheetChoice, sheetChoices } from '../../../shared/sheet/sheetProtocol';
import { mayUse } from '../../connection';
import { registerRunCommands } from '../runCommands';
import type { CreateBatchDependencies } from './createBatchDependencies';

/** Registers the commands that show the sheet of a file and those on submissions. Their code loads at the first use. */
export function registerSubmitCommands(
  deps: Omit<CreateBatchDependencies, 'lifetime'> & { readonly commands: CommandRegistry },
): vscode.Disposable {
  const { commands, registry } = deps;
  const lifetime = new AbortController();
  const creating: CreateBatchDependencies = { ...deps, lifetime: lifetime.signal };
  const sheets = new Lazy(async () => new (await import('../sheet/sheets')).Sheets(creating));
  const choose = async (given: vscode.Uri | undefined, isToSend: boolean) =>
    await (await import('./createBatchTarget')).chooseTarget(given, isToSend);
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
      const { chooseRunToRetry } = await import('../retrying/chooseRunToRetry');
      const { file, runId } = await chooseRunToRetry(registry, target);
      return await (await sheets.get()).show(file, { wish: { choice: 'retry', runId }, isToSend: mayUse('change') });
    }),
  );
}

/** Returns the given file, or that of a row in a view. */
function fileOf(given: vscode.Uri | BatchReference | undefined): vscode.Uri | undefined {
  return given !== undefined && 'batchId' in given ? vscode.Uri.parse(given.source ?? '') : given;
}

/** Menus pass further arguments after the URI. */
function isChoice(value: unknown): value is SheetChoice {
  return sheetChoices.some(choice => choice === value);
}
