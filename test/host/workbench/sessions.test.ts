import assert from 'node:assert/strict';
import { eventuallyHolds } from '../eventually';
import { useClient } from './client';
import { connectedTo, useEmulator } from './emulator';
import { asks, offers, Questions } from './questions';
import { ServedSessions } from './servedSessions';
import { useWorkbench } from './workbench';

const key = 'local-test-key-0005';
const keyBox = asks('API key');
const menu = 'Show which sessions?';
const states = 'Sessions in which states?';

describe('the Sessions view', function () {
  // Each test goes on with the sessions of those before it.
  this.bail(true);
  const emulator = useEmulator({ key, scenario: { sessionPause: 0 } });
  const client = useClient(emulator);
  const sessions = new ServedSessions(emulator, client);
  const workbench = useWorkbench(() => ({ settings: connectedTo(emulator()) }));
  const questions = new Questions(workbench);

  const item = (name: RegExp) => workbench().page.getByRole('treeitem', { name }).first();
  const welcome = (words: string) => `.pane-body .welcome-view-content:has-text("${words}")`;
  const named = (filter: string) => `.pane-header .description:has-text("${filter}")`;
  const refresh = () => workbench().command('managedAgents.sessions.refresh');
  const openMenu = () => workbench().runCommand('Managed Agents: Filter Sessions', asks(menu));
  const showAll = async () => {
    await workbench().runCommand('Managed Agents: Show All Sessions', item(/Waiting for You, Clean the build/));
  };

  it('is calm about a service that has no sessions', async () => {
    emulator().setScenario({ faults: [{ name: 'serverError', route: 'sessions.list', status: 404 }] });
    await workbench().openViewContainer('Managed Agents');
    await workbench().showOnlyView('Sessions');
    await workbench().welcomeButton(/^Set/, keyBox);
    await questions.write('API key', key, welcome('This service has no sessions'));
    await workbench().pictures('sessions-unsupported');
  });

  it('says that there are none yet, and how to start one', async () => {
    await workbench().runCommand('Managed Agents: Refresh Sessions', welcome('No sessions yet'));
    assert.match((await workbench().texts(welcome('No sessions yet'))).join(), /Start Session/);
    await workbench().pictures('sessions-empty');
  });

  it('groups them by what needs the user, and counts what waits in a badge', async () => {
    await sessions.create('Read the changelog', 'hello');
    await sessions.create('Clean the build', 'ask rm -rf build && npm run build', 'Careful Operator');
    await sessions.create(undefined, 'price of tea', 'Shopkeeper');
    await sessions.create('Work all day', 'slow 3600');
    await sessions.create('Out of credit', 'terminate');
    await client().sessions.archive((await sessions.create('Long forgotten', 'hello')).id);
    await refresh();
    for (const name of [/^Waiting for You, 2/, /^Running, 1/, /^Idle, 1/, /^Terminated, 1/, /Waiting for You, price of tea/]) {
      await item(name).waitFor();
    }
    await item(/Waiting for You, Clean the build, bash: rm -rf build/).waitFor();
    const rows = (await workbench().treeRows()).map(row => row.replace(/\s+/g, ' '));
    const groups = rows.filter(row => /^(?:Waiting|Running|Idle|Terminated|Archived|Resched)/.test(row));
    assert.deepEqual(groups, ['Waiting for You2', 'Running1', 'Idle1', 'Terminated1'], rows.join('\n'));
    assert.match(rows.join('\n'), /Clean the build ?Careful Operator · (?:now|\d+ min)/);
    assert.match(rows.join('\n'), /price of tea ?Shopkeeper/);
    await workbench().page.locator('.activitybar .badge-content', { hasText: /^2$/ }).first().waitFor();
    await workbench().pictures('sessions-groups');
  });

  it('tells more in the hover', async () => {
    const hover = workbench().page.locator('.workbench-hover', { hasText: 'bash: rm -rf build && npm run build' }).first();
    await workbench().untilSeen(hover, async timeout => {
      await workbench().page.mouse.move(600, 600);
      await workbench().row('Clean the build').hover({ timeout });
    });
    await eventuallyHolds(async () => assert.match(await hover.innerText(), /Asks for/));
    await workbench().screenshot('sessions-hover');
    await workbench().page.mouse.move(600, 600);
  });

  it('filters by state, names the filter, and shows all again', async () => {
    await openMenu();
    await workbench().screenshot('sessions-filter');
    await questions.choose(menu, 'State', asks(states));
    await questions.tick('Running');
    await workbench().screenshot('sessions-filter-states');
    await questions.accept(states, offers('Apply'));
    await questions.choose(menu, 'Apply', named('Running'));
    await workbench().waitForNone('.pane-body .monaco-list-row:has-text("Read the changelog")');
    await item(/Running, Work all day/).waitFor();
    await workbench().screenshot('sessions-filtered');
    await workbench().runCommand('Managed Agents: Show All Sessions', item(/Idle, Read the changelog/));
  });

  it('filters by agent and shows archived sessions when asked to', async () => {
    await openMenu();
    await questions.choose(menu, 'Archived Sessions', offers('shown'));
    await questions.choose(menu, 'Agent', asks('Sessions of which agent?'));
    await workbench().screenshot('sessions-filter-agent');
    await questions.choose('Sessions of which agent?', 'Reads, thinks and answers', offers('Apply'));
    await questions.choose(menu, 'Apply', item(/^Archived, 1/));
    await workbench().click(item(/^Archived, 1/), item(/Archived, Long forgotten/));
    // What it asks stays in sight, whatever is filtered.
    await workbench().waitForNone('.pane-body .monaco-list-row[aria-label*="Clean the build"]:not([aria-label^="Asks"])');
    await workbench().pictures('sessions-archived');
    await showAll();
    await workbench().waitForNone('.pane-body .monaco-list-row:has-text("Long forgotten")');
  });

  it('says when nothing matches, and leads to another filter', async () => {
    await openMenu();
    await questions.choose(menu, 'State', asks(states));
    await questions.tick('Rescheduling');
    await questions.accept(states, offers('Apply'));
    // What needs the user stays, so the welcome content cannot tell.
    await questions.choose(menu, 'Apply', '.pane-body .message:has-text("No session matches the filter")');
    await workbench().pictures('sessions-no-match');
    await openMenu();
    await questions.choose(menu, 'State', asks(states));
    await questions.tick('Rescheduling', false);
    await questions.tick('Idle');
    await questions.accept(states, offers('Apply'));
    await questions.choose(menu, 'Apply', item(/Idle, Read the changelog/));
    await showAll();
  });

  it('finds a session by what was said in it, and sorts the view', async () => {
    const question = 'Title, agent, ID, or words that were said';
    const onService = offers('Search What Was Said on the Service');
    await workbench().runCommand('Managed Agents: Search Sessions', asks(question));
    await workbench().untilSeen(onService, timeout =>
      workbench()
        .page.locator(`${asks(question)} .quick-input-box input`)
        .first()
        .fill('rm -rf', { timeout }),
    );
    await workbench().page.locator(offers('Clean the build')).first().waitFor();
    await workbench().screenshot('sessions-search');
    await questions.choose(question, 'on the Service', asks('Sessions in which'));
    await workbench().screenshot('sessions-search-service');
    await questions.choose('Sessions in which', 'Clean the build', '.tab:has-text("Clean the build")');
    await openMenu();
    await questions.choose(menu, 'Sort', asks('Sort sessions how?'));
    await questions.choose('Sort sessions how?', 'by cost', named('by cost'));
    await item(/^Idle, \d/).waitFor({ state: 'hidden' });
    await workbench().pictures('sessions-sorted');
    await questions.choose(menu, 'Sort', asks('Sort sessions how?'));
    await questions.choose('Sort sessions how?', 'waiting for you first', item(/^Waiting for You, 2/));
    await workbench().untilGone(asks(menu), () => workbench().page.keyboard.press('Escape'));
  });

  it('filters here where the service refuses to', async () => {
    const note = '.pane-body:has-text("only what was loaded is filtered")';
    // Anew until it was this listing that was refused, and none that the view made by itself.
    await workbench().untilSeen(note, async () => {
      await workbench().command('managedAgents.sessions.clearFilter');
      await workbench().waitForNone(named('Idle'));
      await openMenu();
      await questions.choose(menu, 'State', asks(states));
      await questions.tick('Idle');
      await questions.accept(states, offers('Apply'));
      emulator().setScenario({ faults: [{ name: 'serverError', route: 'sessions.list', status: 400, times: 1 }] });
      await questions.choose(menu, 'Apply', named('Idle'));
    });
    await item(/Idle, Read the changelog/).waitFor();
    // What it asks stays in sight, whatever is filtered.
    await workbench().waitForNone('.pane-body .monaco-list-row[aria-label*="Waiting for You, Clean the build"]');
    await workbench().pictures('sessions-filter-refused');
    await showAll();
  });

  it('keeps the rows and says why when the service goes away, and recovers', async () => {
    const problem = '.pane-body:has-text("Could not refresh")';
    emulator().setScenario({ faults: [{ name: 'html', route: 'sessions.list' }] });
    await workbench().runCommand('Managed Agents: Refresh Sessions', problem);
    await item(/Waiting for You, Clean the build/).waitFor();
    await workbench().pictures('sessions-refresh-failed');
    emulator().setScenario({ faults: [] });
    await workbench().untilGone(problem, timeout => workbench().runCommandOnce('Managed Agents: Refresh Sessions', timeout));
    await item(/Waiting for You, Clean the build/).waitFor();
  });

  it('loads a page at a time', async () => {
    for (let number = 0; number < 22; number++) {
      await sessions.create(`Number ${number}`);
    }
    // The list begins again from its first page.
    await workbench().command('managedAgents.sessions.clearFilter');
    await item(/Idle, Number 21/).waitFor();
    const more = workbench().row('Load More');
    const goTo = async (command: string) => {
      await workbench().command('managedAgents.sessions.focus');
      await workbench().command(command);
    };
    await workbench().untilSeen(more, () => goTo('list.focusLast'));
    await workbench().untilGone(more, timeout => more.click({ timeout }));
    await workbench().untilThere(item(/Waiting for You, Clean the build/), () => goTo('list.focusFirst'));
  });
});
