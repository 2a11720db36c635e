import type { Memento } from 'vscode';
import { areTexts, StoredList } from '../../../common/storedList';

/** Skill to which a folder of this workspace was last uploaded on one connection. */
export interface SkillLink {
  readonly connection: string;
  readonly folder: string;
  readonly skillId: string;
}

export type SkillLinks = StoredList<SkillLink>;

export function createSkillLinks(state: Memento): SkillLinks {
  return new StoredList(state, {
    key: 'managedAgents.skillLinks',
    max: 500,
    identity: ({ connection, folder }) => JSON.stringify([connection, folder]),
    isEntry: ({ connection, folder, skillId }) => areTexts(connection, folder, skillId),
  });
}

/** Returns the ID of the skill of a folder. */
export function linkedSkill(links: SkillLinks, connection: string, folder: string): string | undefined {
  return links.find(link => link.connection === connection && link.folder === folder)?.skillId;
}
