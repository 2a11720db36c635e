import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { CancelledError } from '../../../common/cancellation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { isRecord } from '../../../shared/isRecord';
import { toLabel } from '../../../shared/text';
import type { Definition } from '../definitions/definitionText';
import { type MergeConflict, mergeDefinitions } from '../definitions/mergeDefinitions';
import { showDiff } from './publishSteps';

/** A draft, the state that it is based on, and the current state on the service. */
export interface Sides {
  readonly base: Definition;
  readonly mine: Definition;
  readonly theirs: Definition;
  /** Message that somebody else published first. */
  readonly title: string;
  /** Label of the published version: `Version 3`. */
  readonly theirsLabel: string;
  readonly diffTitle: string;
  /** Texts of the three documents. */
  readonly texts: { readonly base: string; readonly mine: string; readonly theirs: string };
  /** Returns the file name of the document with one of the texts. */
  fileName(part: string): string;
  snapshot(name: string, text: string): vscode.Uri;
  /** Document of the draft. */
  readonly output: vscode.Uri;
  /** Saves the merged draft, now based on the published version. */
  keep(definition: Definition): Promise<void>;
}

/**
 * Merges a draft with the version published since the draft was created. Shows the changes of the published version. For each path that
 * both sides changed, the user chooses a side, or resolves all conflicts in VS Code's merge editor. Throws a `CancelledError` if the user
 * cancels, opens the published version, or continues in the merge editor. The draft then changes only if the user continues in the merge
 * editor.
 */
export async function mergeThreeWay(sides: Sides): Promise<void> {
  const { definition, conflicts } = mergeDefinitions(sides.base, sides.mine, sides.theirs);
  const parts = { base: vscode.l10n.t('base'), mine: vscode.l10n.t('draft'), theirs: vscode.l10n.t('service') };
  const toDocument = (side: keyof typeof parts) => sides.snapshot(sides.fileName(parts[side]), sides.texts[side]);
  const merge = { label: `$(git-merge) ${vscode.l10n.t('Merge')}`, detail: describeConflicts(conflicts) };
  const byHand = { label: `$(edit) ${vscode.l10n.t('Merge Manually...')}`, detail: vscode.l10n.t('Opens the merge editor') };
  const show = { label: `$(diff) ${vscode.l10n.t('Show Their Changes')}` };
  const choice = await vscode.window.showQuickPick([merge, byHand, show, { label: `$(edit) ${vscode.l10n.t('Keep Editing')}` }], {
    title: sides.title,
    ignoreFocusOut: true,
  });
  if (choice === show) {
    await showDiff(toDocument('base'), toDocument('theirs'), sides.diffTitle);
  }
  if (choice === byHand) {
    await sides.keep(definition);
    // Command of VS Code's own Git extension, because there is no public command.
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: toDocument('base'),
      input1: { uri: toDocument('theirs'), title: sides.theirsLabel },
      input2: { uri: toDocument('mine'), title: vscode.l10n.t('Your Draft') },
      output: sides.output,
    });
  }
  if (choice !== merge) {
    throw new CancelledError();
  }
  await sides.keep(await settle(definition, conflicts, sides));
}

/**
 * Asks about each path that both sides changed. Shows both values in a diff, and asks in a notification, because a picker would cover the
 * diff. Throws a `CancelledError` if the user cancels.
 */
async function settle(definition: Definition, conflicts: readonly MergeConflict[], sides: Sides): Promise<Definition> {
  const { t } = vscode.l10n;
  const { theirsLabel } = sides;
  const [yours, keep, take] = [t('Your Draft'), t('Use Mine'), t('Use Theirs')];
  let settled = definition;
  for (const [index, { path, mine, theirs }] of conflicts.entries()) {
    const name = toLabel(path.join('.'), 60);
    const document = (part: string, value: unknown) =>
      typeof value === 'string'
        ? sides.snapshot(`${name} (${part}).md`, value)
        : sides.snapshot(`${name} (${part}).json`, value === undefined ? t('(removed)') : JSON.stringify(value, null, 2));
    await showDiff(document(theirsLabel, theirs), document(yours, mine), `${name}: ${theirsLabel} ↔ ${yours}`);
    const pressed = await showInformation(t('Conflict in {0} ({1} of {2})', name, index + 1, conflicts.length), keep, take);
    if (pressed === undefined) {
      throw new CancelledError();
    }
    settled = replaced(settled, path, pressed === keep ? mine : theirs);
  }
  return settled;
}

/** Returns a copy with `value` at `path`. `undefined` removes the member. */
function replaced(definition: Definition, [name = '', ...rest]: readonly string[], value: unknown): Definition {
  const inner = definition[name];
  const next = rest.length > 0 && isRecord(inner) ? replaced(inner, rest, value) : value;
  const { [name]: _, ...others } = definition;
  return next === undefined ? others : { ...definition, [name]: next };
}

function describeConflicts(conflicts: readonly MergeConflict[]): string {
  return conflicts.length === 0
    ? vscode.l10n.t('Merges automatically')
    : vscode.l10n.t('Select a version of each: {0}', conflicts.map(({ path }) => withoutIcons(toLabel(path.join('.'), 40))).join(', '));
}
