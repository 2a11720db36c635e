import * as vscode from 'vscode';
import type { KindTarget, KindVerb } from '../contributions';
import type { Choice } from './asking/askSteps';

/** Feature that owns some kinds, with its handlers for the commands that apply to every kind. */
export interface KindOwner<T extends KindTarget, K extends KindVerb> {
  readonly verbs: readonly K[];
  /** Returns whether a command's argument belongs to this feature: a reference, a document, or the name of one of its kinds. */
  owns(target: unknown, verb: KindVerb): target is T | string;
  /** Returns whether the active panel belongs to this feature. */
  isInFront?(): boolean;
  isVisible(): boolean;
  /** Returns the kinds that a command applies to, as choices for the user. */
  kinds(verb: K): Promise<readonly Choice<string>[]>;
  /** Loads the handlers. Without a target, the handlers act on the active panel. A string target is the name of the kind to choose from. */
  handlers(): Promise<{ readonly [Id in K]: (target?: T | string, selected?: readonly T[]) => unknown }>;
}

/** An owner of any kinds. It has handlers only for its `verbs`, and each target must be checked with `owns`. */
interface AnyOwner extends Omit<KindOwner<KindTarget, KindVerb>, 'handlers'> {
  handlers(): Promise<{ readonly [Id in KindVerb]?: (target?: KindTarget | string, selected?: readonly KindTarget[]) => unknown }>;
}

/** Commands that apply to every kind: `managedAgents.<verb>`. Each feature handles these commands for its own kinds. */
export class KindCommands {
  private readonly owners: AnyOwner[] = [];

  constructor(private readonly ask = askKind) {}

  /** Adds the owner of some kinds. If two owners own the same target, the first owner handles the command. */
  register<T extends KindTarget, K extends KindVerb>(owner: KindOwner<T, K>): void {
    this.owners.push(owner as unknown as AnyOwner);
  }

  /** Runs a command on its argument. Without an argument, uses the active panel or document, or asks the user for a kind. */
  async run(verb: KindVerb, target?: unknown, selected?: unknown): Promise<unknown> {
    const owners = this.owners.filter(owner => owner.verbs.includes(verb));
    switch (verb) {
      case 'refresh': {
        const visible = owners.filter(owner => owner.isVisible());
        return await Promise.all((visible.length > 0 ? visible : owners).map(owner => runOn(owner, verb)));
      }
      case 'toggleArchived':
        return await Promise.all(owners.map(owner => runOn(owner, verb)));
      case 'create': {
        // The title bar of a view passes the row that has the focus.
        const kind = typeof target === 'string' ? target : await this.ask(await kindsOf(owners, verb));
        const owner = owners.find(one => one.owns(kind, verb));
        return owner && (await runOn(owner, verb, kind));
      }
      default: {
        const ownerOf = (one: unknown) => owners.find(owner => owner.owns(one, verb));
        // The title bar of a panel passes an object that belongs to VS Code.
        const owner = ownerOf(target) ?? owners.find(one => one.isInFront?.() === true);
        if (owner !== undefined) {
          return await runOn(owner, verb, target, selected);
        }
        const document = vscode.window.activeTextEditor?.document.uri;
        const given = ownerOf(document) === undefined ? await this.ask(await kindsOf(owners, verb)) : document;
        const chosen = ownerOf(given);
        return chosen && (await runOn(chosen, verb, given));
      }
    }
  }
}

async function runOn(owner: AnyOwner, verb: KindVerb, target?: unknown, selected?: unknown): Promise<unknown> {
  const isOwn = (row: unknown): row is KindTarget => typeof row !== 'string' && owner.owns(row, verb);
  const rows = Array.isArray(selected) ? selected.filter(isOwn) : [];
  const handlers = await owner.handlers();
  return handlers[verb]?.(owner.owns(target, verb) ? target : undefined, rows);
}

async function kindsOf(owners: readonly AnyOwner[], verb: KindVerb): Promise<readonly Choice<string>[]> {
  return (await Promise.all(owners.map(owner => owner.kinds(verb)))).flat();
}

async function askKind(choices: readonly Choice<string>[]): Promise<string> {
  const { askChoice } = await import('./asking/askSteps');
  return await askChoice({ title: 'Managed Agents', placeholder: vscode.l10n.t('Select a type'), choices });
}
