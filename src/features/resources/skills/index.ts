import * as vscode from 'vscode';
import { combine } from '../../../common/disposables';
import { whenOpened } from '../../../common/documents/whenOpened';
import { Lazy } from '../../../common/lazy';
import { registerLenses } from '../documents/draftLenses';
import type { ResourcesDependencies } from '../kindsView';
import type { ResourceFlow } from '../resourceFlow';
import type { SkillEditing } from './skillEditing';

const manifests: vscode.DocumentFilter = { scheme: 'file', pattern: '**/SKILL.md' };

/** Registers editor features for folders with a `SKILL.md`. They load when the first `SKILL.md` is opened. */
export function registerSkills(
  { commands, log, context }: ResourcesDependencies,
  flow: () => Promise<ResourceFlow>,
): vscode.Disposable & { readonly editing: Lazy<SkillEditing> } {
  const editing = new Lazy<SkillEditing>(async () => {
    const { SkillEditing: Editing } = await import('./skillEditing');
    return new Editing(await flow(), context.workspaceState, () => lenses.refresh());
  });
  const lenses = registerLenses(manifests, async document => (await editing.get()).lenses(document));
  const check = (document: vscode.TextDocument) => {
    if (vscode.languages.match(manifests, document) > 0) {
      editing.get().catch(error => log.error('Skills cannot be checked', error));
    }
  };
  const registered = combine(
    lenses,
    whenOpened(check),
    commands.registerAreas(['skill'], async () => (await editing.get()).commands),
    editing,
  );
  return { editing, dispose: () => registered.dispose() };
}
