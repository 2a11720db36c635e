import type { MemoryState } from './memoryState';
import { keyOwner } from './memoryState';

const preferences = `# How we work

- Answer in English, with short sentences.
- Amounts are in euros, dates as 2026-05-31.
- Ask before you change a file outside of \`src/\`.
`;

const glossary = `# Words of the house

batch: requests that are answered together, within a day
session: one run of an agent, with its log
`;

/** Adds a sample store if there is none, with a folder and a memory that has two versions to compare. */
export function addMemorySamples(memories: MemoryState): void {
  if (!memories.isEmpty) {
    return;
  }
  const { id } = memories.createStore({ name: 'Team Notes', description: 'What the agents of the emulator know of the team.' });
  const first = memories.create(id, { path: '/preferences.md', content: preferences.replace('in euros', 'in dollars') }, keyOwner);
  memories.update(id, first.id, { content: preferences }, keyOwner);
  memories.create(id, { path: '/project/glossary.md', content: glossary }, keyOwner);
  memories.create(id, { path: '/project/decisions/2026-05.md', content: '# May\n\nThe parser stays; the cache goes.\n' }, keyOwner);
}
