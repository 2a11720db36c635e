import * as vscode from 'vscode';
import { showInformation } from '../../../common/asking/notifications';
import { withProgress } from '../../../common/asking/progress';
import { atMost } from '../../../common/atMost';
import { describeError } from '../../../common/text/describeError';
import { join } from '../../../common/text/presentation';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { SessionReference } from '../../../contributions';
import { toLabel } from '../../../shared/text';
import { reach, readyConnection } from '../../connection';
import { readNewest } from '../facts/wholeLog';
import { type ListedSession, referenceOf } from '../facts/listedSession';
import { nameOf, presentSession } from '../list/sessionPresentation';
import type { SessionActionContext } from '../sessionActionContext';
import { excerptOf, lastSaid } from '../facts/findWords';

interface Found extends vscode.QuickPickItem {
  readonly reference?: SessionReference;
  readonly eventId?: string | undefined;
  /** Words to search for on the service. */
  readonly asks?: string;
}

/** Maximum number of events to search per session on the service, newest first, and of sessions to search at once. */
const maxEvents = 2_000;
const atOnce = 4;

/** Finds a session by title, agent, ID or message among what this machine has read, or on the service if the user asks for that. */
export async function searchSessions(deps: SessionActionContext): Promise<void> {
  await readyConnection(deps.connections);
  if (!deps.store.list.isListed) {
    await deps.refresh();
  }
  const { t } = vscode.l10n;
  const found = await pick(t('Search Sessions'), t('Title, agent, ID, or text'), words => known(deps, words));
  if (found?.asks !== undefined) {
    await searchService(deps, found.asks);
  } else if (found?.reference !== undefined) {
    await deps.panels.open(found.reference);
  }
}

function known(deps: SessionActionContext, words: string): readonly Found[] {
  const found = deps.store.all().flatMap(listed => {
    const said = deps.store.facts.logOf(referenceOf(listed))?.said ?? '';
    const excerpt = excerptOf(said, words);
    const isNamed = [nameOf(listed), listed.session.agent?.name ?? '', listed.session.id].some(
      text => excerptOf(text, words) !== undefined,
    );
    return words === '' || isNamed || excerpt !== undefined ? [toItem(deps, listed, excerpt)] : [];
  });
  // Its label does not contain the words, so VS Code keeps it last and Enter does not select it.
  const label = `$(cloud-download) ${vscode.l10n.t('Search Messages on the Service')}`;
  if (words === '') {
    return found.length === 0 ? [{ label: vscode.l10n.t('No sessions'), alwaysShow: true }] : found;
  }
  return [...found, { label, asks: words, alwaysShow: true }];
}

/** Searches the events of all known sessions, newest first. If the user cancels, shows the matches found so far. */
async function searchService(deps: SessionActionContext, words: string): Promise<void> {
  const { t } = vscode.l10n;
  const sessions = deps.store.all().filter(({ isElsewhere }) => isElsewhere !== true);
  const found: Found[] = [];
  let searched = 0;
  let problem: unknown;
  await withProgress(t('Searching sessions ({0})', sessions.length), deps.lifetime, async (signal, report) => {
    await atMost(atOnce, sessions, signal, async listed => {
      try {
        const { client } = await reach(deps.connections, listed.connection, 'read');
        const newest = await readNewest(client.sessions.events(listed.session.id), signal, maxEvents);
        const match = lastSaid([...newest].reverse(), words);
        if (match !== undefined) {
          found.push({ ...toItem(deps, listed, match.excerpt), eventId: match.eventId });
        }
        searched++;
      } catch (error) {
        // A session that is deleted or unreadable must not stop the search in the others.
        problem = signal.aborted ? problem : error;
      }
      report(t('{0} searched, {1} found', searched, found.length), searched / sessions.length);
    });
  });
  const far = searched < sessions.length ? t('{0} searched, {1} found', searched, sessions.length) : '';
  const why = problem === undefined ? '' : describeError(problem);
  if (found.length === 0) {
    void showInformation(join(' ', t('No matches'), far, why));
    return;
  }
  const title = join(' ', t('Sessions with "{0}": {1}.', toLabel(words, 60), found.length), far);
  const chosen = await pick(title, t('Select a session'), () => found, false);
  if (chosen?.reference !== undefined) {
    await deps.panels.open(chosen.reference, chosen.eventId === undefined ? {} : { eventId: chosen.eventId });
    await deps.followed.follow(chosen.reference, Date.now());
  }
}

/** Asks the user to choose; `itemsFor` returns the items that match the typed text. Returns `undefined` if the user cancels. */
async function pick(
  title: string,
  placeholder: string,
  itemsFor: (words: string) => readonly Found[],
  filters = true,
): Promise<Found | undefined> {
  const quickPick = vscode.window.createQuickPick<Found>();
  quickPick.title = title;
  quickPick.placeholder = placeholder;
  quickPick.matchOnDetail = true;
  quickPick.matchOnDescription = true;
  const draw = () => {
    quickPick.items = itemsFor(filters ? quickPick.value.trim() : '').map(item => ({ ...item, alwaysShow: filters }));
  };
  draw();
  try {
    return await new Promise<Found | undefined>(resolve => {
      quickPick.onDidChangeValue(() => filters && draw());
      quickPick.onDidAccept(() => resolve(quickPick.selectedItems[0]));
      quickPick.onDidHide(() => resolve(undefined));
      quickPick.show();
    });
  } finally {
    quickPick.dispose();
  }
}

function toItem({ presentation }: SessionActionContext, listed: ListedSession, excerpt: string | undefined): Found {
  const row = presentSession(listed, presentation());
  return {
    label: `$(${row.icon.replace('~spin', '')}) ${withoutIcons(row.label)}`,
    description: withoutIcons(row.description),
    detail: excerpt === undefined ? toLabel(listed.session.id, 100) : withoutIcons(excerpt),
    reference: referenceOf(listed),
  };
}
