import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import type { RunDependencies } from '../runCommands';

/** A start of the window and a submission have other things to do first. */
const delayMs = 10_000;

/** Keeps what requests said in the background, soon after they were sent, or after the next start when there was no time for it. */
export function hashSoon({ registry, jobs, log, lifetime }: RunDependencies): vscode.Disposable {
  const seen = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const hash = async () => {
    timer = undefined;
    const { hashNewest } = await import('./hashSubmitted');
    const toPath = (source: string) => {
      const uri = vscode.Uri.parse(source);
      return uri.scheme === 'file' ? uri.fsPath : undefined;
    };
    await hashNewest({ registry, jobs, log, toPath }, lifetime);
  };
  return combine(
    registry.onDidChange(({ id, state }) => {
      if (state === 'created' && !seen.has(id)) {
        seen.add(id);
        timer ??= setTimeout(() => {
          running = running.then(hash).catch(error => log.error('What was sent could not be hashed', error));
        }, delayMs).unref();
      }
    }),
    { dispose: () => clearTimeout(timer) },
  );
}
