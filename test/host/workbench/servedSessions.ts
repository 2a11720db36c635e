import type { SessionEvent } from '../../../src/client/events/eventLog';
import type { Session } from '../../../src/client/resources/sessions';
import type { ServiceClient } from '../../../src/client/serviceClient';
import type { Emulator } from '../../../src/emulator/server';

/** The sessions of an emulator as another client uses them, without VS Code. */
export class ServedSessions {
  constructor(
    private readonly emulator: () => Emulator,
    private readonly client: () => ServiceClient,
  ) {}

  /** Creates a session with one of the emulator's agents. With `words`, sends them and resolves once the agent has answered. */
  async create(title: string | undefined, words?: string, agentName = 'Researcher'): Promise<Session> {
    const { items: agents } = await this.client().agents.list();
    const [environment] = (await this.client().environments.list()).items;
    const agent = agents.find(({ name }) => name === agentName)?.id;
    const { data } = await this.client().sessions.create({ agent: agent ?? '', environment_id: environment?.id, ...(title && { title }) });
    if (words !== undefined) {
      await this.say(data.id, words);
    }
    return data;
  }

  /** Sends a message to a session. Resolves once the agent has finished or waits. */
  async say(id: string, text: string): Promise<void> {
    await this.send(id, { type: 'user.message', content: [{ type: 'text', text }] });
  }

  /** Sends an event to a session. Resolves once the agent has finished or waits. */
  async send(id: string, event: object): Promise<void> {
    await this.client().sessions.send(id, [event]);
    await this.emulator().advanceClock(0);
  }

  /** Returns the whole log of a session, or its events of some types, oldest first. */
  async events(id: string, ...types: readonly string[]): Promise<readonly SessionEvent[]> {
    const { items } = await this.client().sessions.events(id).list({ order: 'asc', limit: 1000 });
    return types.length === 0 ? items : items.filter(({ type }) => types.includes(type));
  }
}
