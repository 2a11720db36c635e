import * as vscode from 'vscode';
import { askChoice, type Choice } from '../../../common/asking/askSteps';
import { showInformation } from '../../../common/asking/notifications';
import { toChoice } from '../../../common/asking/pickListed';
import { withProgress } from '../../../common/asking/progress';
import { atMost } from '../../../common/atMost';
import { describeError } from '../../../common/text/describeError';
import { withoutIcons } from '../../../common/text/withoutIcons';
import type { SessionReference } from '../../../contributions';
import { join, toLabel } from '../../../shared/text';
import { reach, readyConnection } from '../../connection';
import { excerptOf, lastSaid } from '../facts/findWords';
import { type ListedSession, referenceOf } from '../facts/listedSession';
import { readNewest } from '../facts/wholeLog';
import { nameOf, presentSession } from '../list/sessionPresentation';
import type { SessionActionContext } from '../sessionActionContext';

interface Match {
  readonly reference: SessionReference;
  readonly eventId: string | undefined;
}

/** Maximum number of events to search per session on the service, newest first, and maximum number of sessions to search at once. */
const maxEvents = 2_000;
const atOnce = 4;

/** Finds a session by title, agent, ID or message in the data already read, or on the service if the user chooses to search there. */
export async function searchSessions(deps: SessionActionContext): Promise<void> {
  await readyConnection(deps.connections);
  if (!deps.store.list.isListed) {
    await deps.refresh();
  }
  const { t } = vscode.l10n;
  const found = await pick(t('Search Sessions'), t('Title, agent, ID, or text'), words => known(deps, words));
  if (typeof found === 'string') {
    await searchService(deps, found);
  } else if (found !== undefined) {
    await deps.panels.open(found.reference);
  }
}

/** Returns the known sessions that match. The last choice searches the service for the words. */
function known(deps: SessionActionContext, words: string): readonly Choice<Match | string>[] {
  const found = deps.store.all().flatMap(listed => {
    const said = deps.store.facts.logOf(referenceOf(listed))?.said ?? '';
    const excerpt = excerptOf(said, words);
    const isNamed = [nameOf(listed), listed.session.agent?.name ?? '', listed.session.id].some(
      text => excerptOf(text, words) !== undefined,
    );
    return words === '' || isNamed || excerpt !== undefined ? [toItem(deps, listed, excerpt)] : [];
  });
  // The item's label does not contain the words, so VS Code keeps it last and Enter does not select it.
  const label = `$(cloud-download) ${vscode.l10n.t('Search Messages on the Service')}`;
  if (words === '') {
    return found.length === 0 ? [{ label: vscode.l10n.t('No sessions') }] : found;
  }
  return [...found, { label, value: words }];
}

/** Searches the events of all known sessions, newest first. If the user cancels, shows the matches found so far. */
async function searchService(deps: SessionActionContext, words: string): Promise<void> {
  const { t } = vscode.l10n;
  const sessions = deps.store.all().filter(({ isElsewhere }) => isElsewhere !== true);
  const found: Choice<Match>[] = [];
  let searched = 0;
  let problem: unknown;
  await withProgress(t('Searching sessions ({0})', sessions.length), deps.lifetime, async (signal, report) => {
    await atMost(atOnce, sessions, signal, async listed => {
      try {
        const { client } = await reach(deps.connections, listed.connection, 'read');
        const newest = await readNewest(client.sessions.events(listed.session.id), signal, maxEvents);
        const match = lastSaid([...newest].reverse(), words);
        if (match !== undefined) {
          found.push(toItem(deps, listed, match.excerpt, match.eventId));
        }
        searched++;
      } catch (error) {
        // The search continues in the other sessions if a session is deleted or unreadable.
        problem = signal.aborted ? problem : error;
      }
      report(t('{0} searched, {1} found', searched, found.length), searched / sessions.length);
    });
  });
  const progress = searched < sessions.length ? t('{0} of {1} sessions searched', searched, sessions.length) : '';
  const why = problem === undefined ? '' : describeError(problem);
  if (found.length === 0) {
    void showInformation(join(' · ', t('No matches'), progress, why));
    return;
  }
  const title = join(' ', t('Sessions with "{0}": {1}.', toLabel(words, 60), found.length), progress);
  const { reference, eventId } = await askChoice<Match>({ title, placeholder: t('Select a session'), choices: found });
  await deps.panels.open(reference, eventId === undefined ? {} : { eventId });
  await deps.followed.follow(reference, Date.now());
}

/** Asks the user to choose. `choicesFor` returns the choices that match the typed text. Returns `undefined` if the user cancels. */
async function pick<T>(title: string, placeholder: string, choicesFor: (words: string) => readonly Choice<T>[]): Promise<T | undefined> {
  const quickPick = vscode.window.createQuickPick<Choice<T>>();
  quickPick.title = title;
  quickPick.placeholder = placeholder;
  const draw = () => {
    quickPick.items = choicesFor(quickPick.value.trim()).map(item => ({ ...item, alwaysShow: true }));
  };
  draw();
  try {
    return await new Promise<T | undefined>(resolve => {
      quickPick.onDidChangeValue(draw);
      quickPick.onDidAccept(() => resolve(quickPick.selectedItems[0]?.value));
      quickPick.onDidHide(() => resolve(undefined));
      quickPick.show();
    });
  } finally {
    quickPick.dispose();
  }
}

function toItem({ presentation }: SessionActionContext, listed: ListedSession, excerpt?: string, eventId?: string): Choice<Match> {
  const choice = toChoice(presentSession(listed, presentation()), listed.session.id, { reference: referenceOf(listed), eventId });
  return excerpt === undefined ? choice : { ...choice, detail: withoutIcons(excerpt) };
}
