import type { Memento } from 'vscode';
import { Emitter } from '../../../common/emitter';

/** Maximum number of remembered links. The newest stay. */
const maxLinks = 500;
const stateKey = 'managedAgents.skillLinks';

/** Skill to which a folder was last uploaded on one connection. */
export interface SkillLink {
  readonly connection: string;
  readonly folder: string;
  readonly skillId: string;
}

/** Links between folders of this workspace and skills. */
export class SkillLinks {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly state: Pick<Memento, 'get' | 'update'>) {}

  find(connection: string, folder: string): string | undefined {
    return this.all().find(link => link.connection === connection && link.folder === folder)?.skillId;
  }

  async set(link: SkillLink): Promise<void> {
    const others = this.all().filter(({ connection, folder }) => connection !== link.connection || folder !== link.folder);
    await this.keep([link, ...others].slice(0, maxLinks));
  }

  async forget(connection: string, skillId: string): Promise<void> {
    const links = this.all();
    const left = links.filter(link => link.connection !== connection || link.skillId !== skillId);
    if (left.length < links.length) {
      await this.keep(left);
    }
  }

  private async keep(links: readonly SkillLink[]): Promise<void> {
    await this.state.update(stateKey, links);
    this.changed.fire();
  }

  private all(): readonly SkillLink[] {
    const stored = this.state.get<unknown>(stateKey);
    return Array.isArray(stored) ? stored.filter(isSkillLink) : [];
  }
}

function isSkillLink(value: unknown): value is SkillLink {
  const { connection, folder, skillId } = (value ?? {}) as Partial<Record<keyof SkillLink, unknown>>;
  return [connection, folder, skillId].every(text => typeof text === 'string');
}
