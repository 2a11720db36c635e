import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { dialects } from '../../../client/dialect';
import { askChoice, askId, separator } from '../../../common/asking/askSteps';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';
import type { Connection } from '../../connection';
import { type Definition, toDefinitionText } from '../definitions/definitionText';
import type { Draft } from '../definitions/drafts';
import { namedIn, type Need, type ResourceKind } from '../resourceKind';
import type { Service } from '../service';
import { type CreateSource, definitionOf } from './publishDraft';
import { pickDefinitionFile, textOf } from './publishSteps';

/** Asks how to start a new resource. Returns a draft from a template, or `undefined` for a workspace file. */
export async function askNewDraft(service: Pick<Service, 'reach'>, kind: ResourceKind, connection: Connection): Promise<Draft | undefined> {
  const definition = definitionOf(kind);
  const translate = vscode.l10n.t;
  const template = await askChoice<Definition | 'file'>({
    title: kind.title(translate),
    placeholder: translate('Select a template for {0}', connection.name),
    choices: [
      ...definition.templates(translate, dialects[connection.dialect]).map(({ label, description, definition: value }) => ({
        label: `$(${kind.icon}) ${label}`,
        description,
        value,
      })),
      separator(''),
      {
        label: `$(file-code) ${translate('From a File of the Workspace...')}`,
        description: `*.${definition.ending}.json`,
        value: 'file',
      },
    ],
  });
  return template === 'file'
    ? undefined
    : newDraft(kind, connection.name, await withNeeds(service, connection.name, template, definition.needs));
}

/** Returns a draft of a resource that the service does not have yet. */
export function newDraft(kind: ResourceKind, connection: string, wanted: Definition): Draft {
  const name = namedIn(wanted, definitionOf(kind));
  return { id: randomUUID(), connection, kind: kind.kind, name, text: toDefinitionText(wanted), savedAt: Date.now() };
}

async function withNeeds(
  service: Pick<Service, 'reach'>,
  connection: string,
  template: Definition,
  needs: readonly Need[] = [],
): Promise<Definition> {
  const translate = vscode.l10n.t;
  let wanted = template;
  for (const need of needs) {
    const { client } = await service.reach(connection, 'read');
    const choices = await need.choices(client, { translate }, wanted);
    if (choices === undefined) {
      continue;
    }
    if (choices.length === 0 && need.typed !== undefined) {
      const id = await askId({ title: need.question(translate), prompt: need.none(translate) });
      wanted = { ...wanted, ...need.typed(id) };
      continue;
    }
    const fields = await askChoice({
      title: translate('Resources'),
      placeholder: need.question(translate),
      choices: choices.map(({ label, description, icon, fields: value }) => ({
        label: `$(${icon}) ${withoutIcons(label)}`,
        description: withoutIcons(description),
        value,
      })),
      none: need.none(translate),
    });
    wanted = { ...wanted, ...fields };
  }
  return wanted;
}

/**
 * Returns the content of the file to create a resource from: the given file, else the active one if its name fits, else one that the user
 * chooses.
 */
export async function readSource(kind: ResourceKind, file: vscode.Uri | undefined): Promise<CreateSource> {
  const { ending } = definitionOf(kind);
  const active = vscode.window.activeTextEditor?.document.uri;
  const isMeant = active?.path.endsWith(`.${ending}.json`) === true;
  const source = file ?? (isMeant ? active : undefined) ?? (await pickDefinitionFile(`.${ending}.json`));
  const text = await textOf(source, vscode.l10n.t('The file is larger than 4 MB.'));
  return { text, location: toLabel(vscode.workspace.asRelativePath(source), 100) };
}
