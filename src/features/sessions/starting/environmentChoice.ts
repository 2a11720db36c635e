import * as vscode from 'vscode';
import type { Environment } from '../../../client/resources/environments';
import type { ServiceClient } from '../../../client/serviceClient';
import { ServiceError } from '../../../client/transport/errors';
import { listUpTo } from '../../../client/transport/pagination';
import { askChoice, askId, type Choice } from '../../../common/asking/askSteps';
import { showWarning } from '../../../common/asking/notifications';
import { warnOfIgnored } from '../../../common/asking/warnOfIgnored';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { join, toLabel } from '../../../shared/text';

/** Environment chosen for a session. */
export interface ChosenEnvironment {
  readonly id: string;
  readonly name: string;
}

const maxEnvironments = 1000;

/** Returns the environments of a service that are not archived. `undefined` if the service doesn't support environments. */
export async function listEnvironments(
  client: Pick<ServiceClient, 'environments'>,
  signal: AbortSignal,
): Promise<readonly Environment[] | undefined> {
  try {
    const { items, isWhole } = await listUpTo(options => client.environments.list(options), maxEnvironments, { signal, limit: 100 });
    if (!isWhole) {
      void showWarning(vscode.l10n.t('Only the first {0} are listed.', items.length));
    }
    return items.filter(({ archived_at }) => !archived_at);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not_found') {
      return undefined;
    }
    throw error;
  }
}

/** Returns the given environment with its name if the environment is listed, or the only environment if none is given. */
export function defaultEnvironment(environments: readonly Environment[], given?: ChosenEnvironment): ChosenEnvironment | undefined {
  const [only, ...others] = environments;
  const found = given === undefined && others.length === 0 ? only : environments.find(({ id }) => id === given?.id);
  return found === undefined ? given : toChosen(found);
}

/** Asks the user to choose an environment, to enter an ID, or to create an environment if there is none. */
export async function chooseEnvironment(
  client: Pick<ServiceClient, 'environments'>,
  environments: readonly Environment[],
  title: string,
  active?: string,
): Promise<ChosenEnvironment> {
  type Value = Environment | 'create' | 'id';
  const listed: readonly Choice<Value>[] = environments.map(environment => ({
    label: `$(vm) ${withoutIcons(toLabel(environment.name?.trim() || environment.id, 80))}`,
    description: withoutIcons(join(' · ', toLabel(environment.config?.type ?? '', 30), toLabel(environment.id, 60))),
    detail: environment.description ? withoutIcons(toLabel(environment.description.replace(/\s+/g, ' '), 120)) : undefined,
    value: environment,
  }));
  const create: Choice<Value> = {
    label: `$(add) ${vscode.l10n.t('Create Default Environment')}`,
    detail: vscode.l10n.t('A cloud sandbox named "default", with open access to the network'),
    alwaysShow: true,
    value: 'create',
  };
  const typed: Choice<Value> = { label: `$(edit) ${vscode.l10n.t('Enter Environment ID...')}`, alwaysShow: true, value: 'id' };
  const chosen = await askChoice<Value>({
    title,
    placeholder:
      environments.length === 0
        ? vscode.l10n.t('A session runs in an environment, and this service has none yet')
        : vscode.l10n.t('Select an environment to run in'),
    choices: environments.length === 0 ? [create, typed] : [...listed, typed],
    active: environments.find(({ id }) => id === active),
  });
  if (chosen === 'create') {
    const answer = await client.environments.create({ name: 'default', config: { type: 'cloud', networking: { type: 'unrestricted' } } });
    warnOfIgnored(answer.data.name ?? answer.data.id, answer);
    return toChosen(answer.data);
  }
  if (chosen === 'id') {
    const id = await askId({ title, prompt: vscode.l10n.t('ID of the environment') });
    return { id, name: id };
  }
  return toChosen(chosen);
}

function toChosen({ id, name }: Environment): ChosenEnvironment {
  return { id, name: name?.trim() || id };
}
