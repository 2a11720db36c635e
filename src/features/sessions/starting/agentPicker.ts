import * as vscode from 'vscode';
import type { Agent } from '../../../client/schemas/agents';
import type { ServiceClient } from '../../../client/serviceClient';
import { PageGuard } from '../../../client/transport/pagination';
import { askChoice, askText, type Choice } from '../../../common/asking/askSteps';
import { CancelledError } from '../../../common/cancellation';
import { toListingState } from '../../../common/lists/pagedList';
import { describeError } from '../../../common/text/describeError';
import { describeSince, join, type PresentationContext, shortId } from '../../../common/text/presentation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import { toLabel } from '../../../shared/text';

/** An agent that was chosen; `version` undefined for the latest. */
export interface ChosenAgent {
  readonly id: string;
  readonly name: string;
  readonly version: number | undefined;
  readonly latest: number | undefined;
}

type AgentItem = vscode.QuickPickItem & { readonly agent?: Agent; readonly typesId?: boolean };

/**
 * Lets the user choose an agent. The first page shows at once; whoever types searches all pages, which are read meanwhile. An
 * agent that is not listed can be named by its id. Throws a `CancelledError` when nothing is chosen.
 */
export async function pickAgent(
  client: Pick<ServiceClient, 'agents'>,
  question: { readonly title: string; readonly placeholder: string },
  context: PresentationContext,
): Promise<ChosenAgent> {
  const pick = vscode.window.createQuickPick<AgentItem>();
  const pages = new AgentPages(client, () => show());
  const show = () => {
    const active = pick.activeItems[0]?.agent?.id;
    pick.items = [...pages.agents.map(agent => toItem(agent, context)), ...tail(pages)];
    pick.busy = pages.isReading;
    const again = pick.items.find(({ agent }) => agent !== undefined && agent.id === active);
    if (again !== undefined) {
      pick.activeItems = [again];
    }
  };
  pick.title = question.title;
  pick.placeholder = question.placeholder;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  try {
    const item = await new Promise<AgentItem>((resolve, reject) => {
      pick.onDidAccept(() => {
        const [chosen] = pick.selectedItems;
        if (chosen !== undefined) {
          resolve(chosen);
        }
      });
      pick.onDidChangeValue(text => text !== '' && void pages.readAll());
      pick.onDidHide(() => reject(new CancelledError()));
      pick.show();
      void pages.readOne();
    });
    const { agent } = item;
    return agent === undefined
      ? await askAgentId()
      : { id: agent.id, name: nameOf(agent), version: undefined, latest: agent.version ?? undefined };
  } finally {
    pages.stop();
    pick.dispose();
  }
}

/** The agents of a service as far as they were read. */
class AgentPages {
  readonly agents: Agent[] = [];
  problem: unknown;
  isReading = false;
  hasMore = true;
  private readonly controller = new AbortController();
  private readonly guard = new PageGuard<Agent>(mostPages);
  private cursor: string | undefined;

  constructor(
    private readonly client: Pick<ServiceClient, 'agents'>,
    private readonly onChange: () => void,
  ) {}

  async readAll(): Promise<void> {
    while (this.hasMore && !this.isReading && !this.controller.signal.aborted) {
      await this.readOne();
    }
  }

  async readOne(): Promise<void> {
    if (this.isReading) {
      return;
    }
    this.isReading = true;
    this.onChange();
    try {
      const page = await this.client.agents.list({ limit: pageSize, cursor: this.cursor, signal: this.controller.signal });
      const { items, nextCursor } = this.guard.accept(page);
      this.agents.push(...items.filter(({ archived_at }) => !archived_at));
      this.cursor = nextCursor;
      this.hasMore = nextCursor !== undefined;
    } catch (error) {
      this.problem = error;
      this.hasMore = false;
    }
    this.isReading = false;
    if (!this.controller.signal.aborted) {
      this.onChange();
    }
  }

  stop(): void {
    this.controller.abort();
  }
}

const pageSize = 100;
const mostPages = 50;

function nameOf({ name, id }: Agent): string {
  return name?.trim() || id;
}

function toItem(agent: Agent, context: PresentationContext): AgentItem {
  const { translate } = context;
  const model = typeof agent.model === 'string' ? agent.model : (agent.model?.id ?? '');
  const version = typeof agent.version === 'number' ? translate('version {0}', agent.version) : '';
  return {
    label: `$(robot) ${withoutIcons(toLabel(nameOf(agent), 80))}`,
    description: withoutIcons(join(' · ', version, toLabel(model, 60), describeSince(agent.updated_at ?? agent.created_at, context))),
    detail: withoutIcons(toLabel(agent.description?.replace(/\s+/g, ' ') || shortId(agent.id), 120)),
    agent,
  };
}

function tail({ problem, isReading, agents }: AgentPages): readonly AgentItem[] {
  const note =
    problem !== undefined
      ? toListingState(problem) === 'unsupported' && agents.length === 0
        ? vscode.l10n.t('$(info) This service has no agents')
        : vscode.l10n.t('$(warning) The agents could not all be listed: {0}', toLabel(describeError(problem), 200))
      : !isReading && agents.length === 0
        ? vscode.l10n.t('$(info) This service has no agents yet')
        : undefined;
  return [
    ...(note === undefined ? [] : [{ label: note, kind: vscode.QuickPickItemKind.Separator }]),
    { label: vscode.l10n.t('$(edit) Enter an Agent ID...'), alwaysShow: true, typesId: true },
  ];
}

async function askAgentId(): Promise<ChosenAgent> {
  const text = await askText({
    title: vscode.l10n.t('Agent'),
    prompt: vscode.l10n.t('ID of the agent'),
    validate: value => (value.trim() === '' ? vscode.l10n.t('Enter an ID') : undefined),
  });
  return { id: text.trim(), name: text.trim(), version: undefined, latest: undefined };
}

/** Lets the user choose a version of an agent, the latest first. */
export async function pickVersion(
  client: Pick<ServiceClient, 'agents'>,
  agent: ChosenAgent,
  title: string,
  context: PresentationContext,
): Promise<ChosenAgent> {
  const { translate } = context;
  const guard = new PageGuard<Agent>(mostPages);
  const versions: Choice<number>[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await client.agents.versions(agent.id, { limit: pageSize, cursor }).catch(error => {
      if (cursor === undefined && toListingState(error) === 'unsupported') {
        return undefined;
      }
      throw error;
    });
    if (page === undefined) {
      return await typeVersion(agent, title);
    }
    const { items, nextCursor } = guardVersions(guard, page);
    cursor = nextCursor;
    for (const { version, updated_at, created_at, name } of items) {
      if (typeof version === 'number') {
        const description = withoutIcons(join(' · ', toLabel(name ?? '', 60), describeSince(updated_at ?? created_at, context)));
        versions.push({ label: translate('Version {0}', version), description, value: version });
      }
    }
    const latest: Choice<number> = {
      label: translate('Latest'),
      description: translate('whatever it is when the session starts'),
      value: 0,
    };
    const more: readonly Choice<number>[] =
      cursor === undefined ? [] : [{ label: vscode.l10n.t('$(ellipsis) Load More'), alwaysShow: true, value: -1 }];
    const choices = [latest, ...versions, ...more];
    const chosen = await askChoice<number>({
      title,
      placeholder: translate('Which version of {0}?', toLabel(agent.name, 60)),
      choices,
      active: agent.version ?? 0,
    });
    if (chosen >= 0) {
      return { ...agent, version: chosen === 0 ? undefined : chosen };
    }
  }
}

/** Where a service lists no versions the user may know their numbers all the same. */
async function typeVersion(agent: ChosenAgent, title: string): Promise<ChosenAgent> {
  const number = await askText({
    title,
    prompt: vscode.l10n.t('This service lists no versions. Number of the version of {0}; empty for the latest', toLabel(agent.name, 60)),
    value: agent.version === undefined ? '' : String(agent.version),
    validate: text => (/^(?:[1-9]\d{0,8})?$/.test(text.trim()) ? undefined : vscode.l10n.t('A version is a whole number from 1.')),
  });
  return { ...agent, version: number.trim() === '' ? undefined : Number(number) };
}

/** All versions of an agent have one id: the guard is told them apart by their numbers. */
function guardVersions(guard: PageGuard<Agent>, page: Awaited<ReturnType<ServiceClient['agents']['versions']>>) {
  const accepted = guard.accept({ ...page, items: page.items.map(agent => ({ ...agent, id: `${agent.id} ${agent.version}` })) });
  return accepted;
}
