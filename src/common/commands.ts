import * as vscode from 'vscode';
import { type CommandId, type Commands, internalCommands, kindVerbs } from '../contributions';
import { CancelledError, isCancellation } from './cancellation';
import { KindCommands } from './kindCommands';
import { TreeNode } from './tree/treeNode';

/** Result of a command that failed or was cancelled. Not a symbol, because VS Code serializes results as JSON. */
const notDone = Object.freeze({ isDone: false });

type Handler<K extends CommandId> = (...args: Commands[K]) => unknown;

export type Handlers = { readonly [K in CommandId]: Handler<K> };

export type AreaHandlers<A extends string> = Pick<Handlers, Extract<CommandId, `managedAgents.${A}.${string}`>>;

/** Registers commands. An error that a handler throws is reported once, by `showError`. Cancellations are not reported. */
export class CommandRegistry {
  readonly kinds = new KindCommands();

  /** `ids` are the commands of package.json. */
  constructor(
    private readonly showError: (error: unknown) => Promise<void>,
    private readonly ids: readonly string[],
  ) {}

  register<K extends CommandId>(id: K, handler: Handler<K>): vscode.Disposable {
    return vscode.commands.registerCommand(id, async (...args: unknown[]) => {
      try {
        return await handler(...(args.map(toArgument) as Commands[K]));
      } catch (error) {
        if (!isCancellation(error)) {
          // Not awaited, because the command has ended, but the message stays until the user answers.
          void this.showError(error);
        }
        return notDone;
      }
    });
  }

  /** Registers all commands of some areas, such as `managedAgents.session.*` for `session`. Their handlers load on first use. */
  registerAreas<A extends string>(areas: readonly A[], load: () => Promise<AreaHandlers<A>>): vscode.Disposable {
    const isMeant = (id: string): id is keyof AreaHandlers<A> => areas.some(area => id.startsWith(`managedAgents.${area}.`));
    const registerLate = <K extends keyof AreaHandlers<A>>(id: K) =>
      this.register(id, async (...args: Commands[K]) => ((await load())[id] as Handler<K>)(...args));
    return vscode.Disposable.from(...[...this.ids, ...internalCommands].filter(isMeant).map(id => registerLate(id)));
  }

  registerKindCommands(): vscode.Disposable {
    return vscode.Disposable.from(
      ...kindVerbs.map(verb => this.register(`managedAgents.${verb}`, (target, selected) => this.kinds.run(verb, target, selected))),
    );
  }
}

/** Replaces the tree node that a view menu passes by its target, and the `null` of a keybinding by `undefined`. */
function toArgument(given: unknown): unknown {
  if (Array.isArray(given)) {
    return given.map(toArgument);
  }
  return given instanceof TreeNode ? given.target : (given ?? undefined);
}

export async function runCommand<K extends CommandId>(id: K, ...args: Commands[K]): Promise<void> {
  await vscode.commands.executeCommand(id, ...args);
}

/** Runs a command as part of a larger action. Throws if it failed or was cancelled, to stop the whole action. */
export async function demandCommand<K extends CommandId>(id: K, ...args: Commands[K]): Promise<void> {
  if ((await vscode.commands.executeCommand(id, ...args)) === notDone) {
    throw new CancelledError();
  }
}

/** Creates a command with checked arguments for a tree item, lens or link. */
export function commandLink<K extends CommandId>(id: K, title: string, ...args: Commands[K]): vscode.Command {
  return { command: id, title, arguments: args };
}

/** Returns Markdown with links to commands. Only these commands are enabled in the Markdown. `text` is Markdown before the links. */
export function toCommandLinks(acts: readonly vscode.Command[], text = ''): vscode.MarkdownString {
  const links = acts.map(
    ({ command, title, arguments: given }) => `[${title}](command:${command}?${encodeURIComponent(JSON.stringify(given))})`,
  );
  const markdown = new vscode.MarkdownString([text, links.join(' · ')].filter(part => part !== '').join('\n\n'));
  markdown.isTrusted = { enabledCommands: acts.map(({ command }) => command) };
  return markdown;
}
