import assert from 'node:assert/strict';
import { fileActions } from '../../../../../src/features/requests/lenses/fileActions';

describe('features/requests/lenses/fileActions', () => {
  const commandsOf = (standing: Partial<Parameters<typeof fileActions>[0]> = {}) =>
    fileActions({ hasRuns: false, hasResults: false, needReview: 0, problems: 0, ...standing }).map(({ command }) => command);

  it('offers what a file that was never sent can use', () => {
    const commands = commandsOf();
    assert.equal(commands[0], 'managedAgents.batch.create');
    assert.ok(!commands.some(command => command.startsWith('managedAgents.results')));
    assert.ok(!commands.includes('managedAgents.file.fix'));
  });

  it('begins with the results of one that has some, and what to do about them', () => {
    const commands = commandsOf({ hasRuns: true, hasResults: true, needReview: 2, problems: 1 });
    assert.equal(commands[0], 'managedAgents.results.show');
    for (const command of ['managedAgents.retry.plan', 'managedAgents.answer.nextFailed', 'managedAgents.file.fix'] as const) {
      assert.ok(commands.includes(command), command);
    }
    assert.ok(!commandsOf({ hasRuns: true, hasResults: true }).includes('managedAgents.retry.plan'));
  });

  it('keeps sections together, and offers nothing twice', () => {
    const actions = fileActions({ hasRuns: true, hasResults: true, needReview: 1, problems: 1 });
    const sections = actions.map(({ section }) => section).filter((section, index, all) => section !== all[index - 1]);
    assert.equal(new Set(sections).size, sections.length);
    assert.equal(new Set(actions.map(({ command }) => command)).size, actions.length);
  });
});
