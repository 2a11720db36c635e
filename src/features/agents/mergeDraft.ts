import * as vscode from 'vscode';
import type { Agent } from '../../client/schemas/agents';
import type { AgentReference } from '../../contributions';
import { bringTogether } from '../resources/documents';
import type { AgentDraft } from './agentDrafts';
import type { AgentFlow } from './agentFlow';
import { agentName } from './agentPresentation';
import { type AgentDefinition, parseDefinition, toDefinition, toDefinitionText } from './agentText';
import { toAgentUri } from './agentUri';

/** Brings a draft onto a version that was published since it was begun, as the user decides. Turning back leaves the draft as it was. */
export async function mergeDraft(flow: AgentFlow, reference: AgentReference, draft: AgentDraft, latest: Agent): Promise<AgentDraft> {
  const name = agentName(latest);
  const version = latest.version ?? 0;
  const theirs = toDefinition(latest);
  const begun = draft.base?.version;
  const versionUri = (number: number) => toAgentUri({ kind: 'version', ...reference, version: number }, name);
  let merged = draft;
  await bringTogether({
    base: definitionOf(draft.base?.text),
    mine: definitionOf(draft.text),
    theirs,
    title: vscode.l10n.t('Version {0} of {1} was published since you began from version {2}', version, name, begun ?? '?'),
    theirsLabel: vscode.l10n.t('Version {0}', version),
    diffTitle: vscode.l10n.t('{0}: version {1} ↔ version {2}', name, begun ?? '?', version),
    documents:
      begun === undefined
        ? undefined
        : () => ({
            base: versionUri(begun),
            theirs: versionUri(version),
            mine: flow.files.snapshot(`${draft.name}.json`, draft.text),
            output: flow.files.uriOf({ kind: 'agent', ...reference }, draft.name),
          }),
    keep: async definition => {
      merged = { ...draft, base: { version, text: toDefinitionText(theirs) }, text: toDefinitionText(definition), savedAt: Date.now() };
      await flow.drafts.save(merged);
      flow.files.touchAgent(reference.connection, reference.agentId);
    },
  });
  return merged;
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
