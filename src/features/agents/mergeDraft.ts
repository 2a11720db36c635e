import * as vscode from 'vscode';
import type { Agent } from '../../client/schemas/agents';
import { CancelledError } from '../../common/cancellation';
import { withoutIcons } from '../../common/text/withoutIcons';
import type { AgentReference } from '../../contributions';
import { isRecord } from '../../shared/isRecord';
import { toLabel } from '../../shared/text';
import type { AgentDraft } from './agentDrafts';
import type { AgentFlow } from './agentFlow';
import { type MergeConflict, mergeAgents } from './agentMerge';
import { agentName } from './agentPresentation';
import { type AgentDefinition, parseDefinition, toDefinition, toDefinitionText } from './agentText';
import { toAgentUri } from './agentUri';

/**
 * Brings a draft onto a version that was published since it was begun. The user sees what the others changed; where both changed the
 * same, they choose for each place, or work it out in VS Code's merge editor. Turning back leaves the draft as it was.
 */
export async function mergeDraft(flow: AgentFlow, reference: AgentReference, draft: AgentDraft, latest: Agent): Promise<AgentDraft> {
  const name = agentName(latest);
  const version = latest.version ?? 0;
  const theirs = toDefinition(latest);
  const base = definitionOf(draft.base?.text);
  const mine = definitionOf(draft.text);
  const { definition, conflicts } = mergeAgents(base, mine, theirs);
  const begun = draft.base?.version ?? '?';
  const merge = { label: `$(git-merge) ${vscode.l10n.t('Bring Both Together')}`, detail: describeConflicts(conflicts) };
  const byHand = {
    label: `$(edit) ${vscode.l10n.t('Merge by Hand...')}`,
    detail: vscode.l10n.t('In the merge editor; save the result and publish again'),
  };
  const show = { label: `$(diff) ${vscode.l10n.t('Show What They Changed')}` };
  const title = vscode.l10n.t('Version {0} of {1} was published since you began from version {2}', version, name, begun);
  const choice = await vscode.window.showQuickPick([merge, byHand, show, { label: `$(edit) ${vscode.l10n.t('Keep Editing')}` }], {
    title,
    ignoreFocusOut: true,
  });
  if (choice === show && typeof begun === 'number') {
    await vscode.commands.executeCommand(
      'vscode.diff',
      toAgentUri({ kind: 'version', ...reference, version: begun }, name),
      toAgentUri({ kind: 'version', ...reference, version }, name),
      vscode.l10n.t('{0}: version {1} ↔ version {2}', name, begun, version),
    );
    throw new CancelledError();
  }
  if (choice === byHand && typeof begun === 'number') {
    await keep(flow, reference, draft, theirs, version, definition);
    await openMergeEditor(flow, reference, draft, latest, begun);
    throw new CancelledError();
  }
  if (choice !== merge) {
    throw new CancelledError();
  }
  return keep(flow, reference, draft, theirs, version, await settle(definition, conflicts, version));
}

/** Keeps what the draft has become, begun from `version` now. */
async function keep(
  flow: AgentFlow,
  reference: AgentReference,
  draft: AgentDraft,
  theirs: AgentDefinition,
  version: number,
  definition: AgentDefinition,
): Promise<AgentDraft> {
  const base = { version, text: toDefinitionText(theirs) };
  const merged: AgentDraft = { ...draft, base, text: toDefinitionText(definition), savedAt: Date.now() };
  await flow.drafts.save(merged);
  flow.files.touch(reference.connection, reference.agentId);
  return merged;
}

/** Shows the version both began from, theirs and the draft as it was, with the draft as it has become for the result. */
async function openMergeEditor(flow: AgentFlow, reference: AgentReference, draft: AgentDraft, latest: Agent, begun: number): Promise<void> {
  const name = agentName(latest);
  const version = latest.version ?? 0;
  // The command of VS Code's own Git extension: there is no public one.
  await vscode.commands.executeCommand('_open.mergeEditor', {
    base: toAgentUri({ kind: 'version', ...reference, version: begun }, name),
    input1: { uri: toAgentUri({ kind: 'version', ...reference, version }, name), title: vscode.l10n.t('Version {0}', version) },
    input2: { uri: flow.files.snapshot(`${draft.name}.json`, draft.text), title: vscode.l10n.t('Your Draft') },
    output: flow.files.uriOf({ kind: 'agent', ...reference }, draft.name),
  });
}

/** Asks for each place that both sides changed; what was chosen for the others stays when the user turns back at one. */
async function settle(definition: AgentDefinition, conflicts: readonly MergeConflict[], version: number): Promise<AgentDefinition> {
  let settled = definition;
  for (const [index, { path, mine, theirs }] of conflicts.entries()) {
    const keep = { label: `$(account) ${vscode.l10n.t('Yours')}`, detail: excerpt(mine), value: mine };
    const take = { label: `$(cloud) ${vscode.l10n.t('Version {0}', version)}`, detail: excerpt(theirs), value: theirs };
    const title = vscode.l10n.t('{0} was changed by both ({1} of {2})', toLabel(path.join('.'), 60), index + 1, conflicts.length);
    const choice = await vscode.window.showQuickPick([keep, take], { title, ignoreFocusOut: true });
    if (choice === undefined) {
      throw new CancelledError();
    }
    settled = replaced(settled, path, choice.value);
  }
  return settled;
}

/** A copy in which `value` stands at `path`; undefined takes away what stands there. */
function replaced(definition: AgentDefinition, [name = '', ...rest]: readonly string[], value: unknown): AgentDefinition {
  const inner = definition[name];
  const next = rest.length > 0 && isRecord(inner) ? replaced(inner, rest, value) : value;
  const { [name]: _, ...others } = definition;
  return next === undefined ? others : { ...definition, [name]: next };
}

function definitionOf(text: string | undefined): AgentDefinition {
  const parsed = parseDefinition(text ?? '{}');
  if (!('definition' in parsed)) {
    throw new Error(
      vscode.l10n.t('The draft is not a whole definition of an agent yet. Mend what the Problems view shows and publish again.'),
    );
  }
  return parsed.definition;
}

function excerpt(value: unknown): string {
  return value === undefined ? vscode.l10n.t('(taken out)') : withoutIcons(toLabel(JSON.stringify(value), 200));
}

function describeConflicts(conflicts: readonly MergeConflict[]): string {
  return conflicts.length === 0
    ? vscode.l10n.t('Both changed different parts; you see the result before it is published')
    : vscode.l10n.t('Both changed {0}; you choose', conflicts.map(({ path }) => withoutIcons(toLabel(path.join('.'), 40))).join(', '));
}
