import { memberOf, parseLoose } from '../../../../jsonl/guide/looseJson';
import { isRecord } from '../../../../shared/isRecord';
import { toDefinitionText } from '../../definitions/definitionText';
import { jsonOf } from '../../definitions/drafts';

/**
 * Returns the system prompt in the text of an agent's document. `undefined` if the text is not a JSON object or the prompt is not a string.
 */
export function promptIn(document: string): string | undefined {
  const agent = jsonOf(document);
  const prompt = isRecord(agent) ? (agent.system ?? '') : undefined;
  return typeof prompt === 'string' ? prompt : undefined;
}

/**
 * Replaces the system prompt in the text of an agent's document and leaves everything else unchanged. An empty prompt becomes `null`, which
 * clears it. Throws if the document has no prompt (`promptIn`).
 */
export function withPrompt(document: string, prompt: string): string {
  const agent = jsonOf(document);
  if (!isRecord(agent) || promptIn(document) === undefined) {
    throw new Error('unreachable: the document has no prompt');
  }
  const system = prompt === '' ? null : prompt;
  if (prompt === promptIn(document)) {
    return document;
  }
  const wanted = { ...agent, system };
  const root = parseLoose(document);
  const value = memberOf(document, root, 'system')?.value;
  const written = JSON.stringify(system);
  const place = value ?? (root && { start: root.start + 1, end: root.start + 1 });
  const inserted = value === undefined ? `\n  "system": ${written}${Object.keys(agent).length === 0 ? '\n' : ','}` : written;
  const edited = place && `${document.slice(0, place.start)}${inserted}${document.slice(place.end)}`;
  // A duplicate key, for example, can make the edit change the wrong member.
  return edited !== undefined && JSON.stringify(sorted(jsonOf(edited))) === JSON.stringify(sorted(wanted))
    ? edited
    : toDefinitionText(wanted);
}

function sorted(value: unknown): unknown {
  return isRecord(value) ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value;
}
