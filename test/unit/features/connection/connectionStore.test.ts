import assert from 'node:assert/strict';
import { type ChosenConnection, ConnectionStore } from '../../../../src/features/connection/connectionStore';
import type { KeyStatus, KeyStore } from '../../../../src/features/connection/keyStore';
import { UserProfiles } from '../../../../src/features/connection/userProfiles';
import { fillPlaceholders } from '../requests/fillPlaceholders';
import { MemoryMemento } from '../sessions/memoryMemento';

/** Creates a store with values that a test can change. */
function createWorld() {
  const world = {
    connections: { Team: { baseUrl: 'https://a.example' } } as unknown,
    chosen: { name: 'Team', by: 'user' } as ChosenConnection,
    isTrusted: true,
    key: { kind: 'usable', onlyThisWindow: false } as KeyStatus | Promise<KeyStatus>,
    version: 1,
    profiles: new UserProfiles(new MemoryMemento()),
    emulator: { running: undefined as { url: string; key: string } | undefined, isStarting: false },
  };
  const store = new ConnectionStore({
    readConnections: () => world.connections,
    readChosen: () => world.chosen,
    isTrusted: () => world.isTrusted,
    keys: { status: async () => world.key, version: async () => world.version } as unknown as KeyStore,
    profiles: world.profiles,
    emulator: world.emulator,
    t: fillPlaceholders,
  });
  return { world, store };
}

describe('features/connection/connectionStore', () => {
  it('is ready with a chosen connection and its key', async () => {
    const { store } = createWorld();
    await store.refresh();
    assert.equal(store.snapshot.state, 'ready');
    assert.equal(store.snapshot.current?.baseUrl, 'https://a.example');
    assert.deepEqual(
      store.snapshot.connections.map(({ name }) => name),
      ['Team', 'Emulator'],
    );
  });

  it('remembers the user profile of each connection and address', async () => {
    const { world, store } = createWorld();
    world.connections = { Team: { baseUrl: 'https://a.example' }, Other: { baseUrl: 'https://a.example' } };
    await store.refresh();
    const [team, , emulator] = store.snapshot.connections;
    assert.ok(team !== undefined && emulator?.isEmulator);
    await world.profiles.set(team, 'profile_1');
    await world.profiles.set(emulator, 'profile_2');
    world.emulator.running = { url: 'http://127.0.0.1:5', key: 'k' };
    await store.refresh();
    const profiles = () => store.snapshot.connections.map(({ userProfileId }) => userProfileId);
    assert.deepEqual(profiles(), ['profile_1', undefined, 'profile_2']);
    world.connections = { Team: { baseUrl: 'https://b.example' } };
    await store.refresh();
    assert.deepEqual(profiles(), [undefined, 'profile_2']);
    await world.profiles.set(team, undefined);
    world.connections = { Team: { baseUrl: 'https://a.example' } };
    await store.refresh();
    assert.deepEqual(profiles(), [undefined, 'profile_2']);
  });

  it('reports what is missing: a choice, the connection, its key, trust', async () => {
    const { world, store } = createWorld();
    const states: unknown[] = [];
    const look = async () => {
      await store.refresh();
      states.push([store.snapshot.state, store.snapshot.reason]);
    };
    world.chosen = { name: '', by: 'user' };
    await look();
    world.chosen = { name: 'Gone', by: 'user' };
    await look();
    world.chosen = { name: 'Theirs', by: 'workspace' };
    await look();
    world.chosen = { name: 'Team', by: 'user' };
    world.key = { kind: 'missing' };
    await look();
    world.key = { kind: 'otherOrigin', origin: 'https://old.example' };
    await look();
    world.key = { kind: 'usable', onlyThisWindow: true };
    world.isTrusted = false;
    await look();
    assert.deepEqual(states, [
      ['none', undefined],
      ['none', 'There is no connection "Gone". Add it, or switch to another.'],
      ['none', 'There is no connection "Theirs". Add it, or switch to another.'],
      ['noKey', 'Set the API key of "Team" to connect to a.example.'],
      ['noKey', 'The address of "Team" has changed from https://old.example to https://a.example. Enter the API key again.'],
      ['untrusted', 'Restricted Mode: sending is off until you trust this workspace.'],
    ]);
    assert.equal(store.snapshot.current?.name, 'Team');
  });

  it("explains why a chosen connection can't be read", async () => {
    const { world, store } = createWorld();
    world.connections = { Team: { baseUrl: 'ftp://a.example' } };
    await store.refresh();
    assert.equal(store.snapshot.state, 'none');
    assert.match(store.snapshot.reason ?? '', /^The connection "Team" can't be used\. .*Enter an address such as https/);
  });

  it('starts the emulator once when its connection becomes the current one, and not again after it was stopped', async () => {
    const { world, store } = createWorld();
    world.chosen = { name: 'Emulator', by: 'user' };
    await store.refresh();
    assert.equal(store.snapshot.startsEmulator, true);
    assert.equal(store.snapshot.state, 'ready');
    world.emulator.isStarting = true;
    await store.refresh();
    assert.deepEqual([store.snapshot.startsEmulator, store.snapshot.state], [false, 'ready']);
    world.emulator.isStarting = false;
    world.emulator.running = { url: 'http://127.0.0.1:4711', key: 'k' };
    await store.refresh();
    assert.deepEqual([store.snapshot.startsEmulator, store.snapshot.state], [false, 'ready']);
    assert.equal(store.snapshot.current?.baseUrl, 'http://127.0.0.1:4711');
    world.emulator.running = undefined;
    await store.refresh();
    assert.deepEqual([store.snapshot.startsEmulator, store.snapshot.state], [false, 'none']);
  });

  it('fires for another key of the same connection', async () => {
    const { world, store } = createWorld();
    await store.refresh();
    const before = store.snapshot.access;
    await store.refresh();
    assert.equal(store.snapshot.access, before);
    world.version++;
    await store.refresh();
    assert.notEqual(store.snapshot.access, before);
    assert.doesNotMatch(String(before), /undefined/);
  });

  it("doesn't start the emulator because a workspace file chooses it", async () => {
    const { world, store } = createWorld();
    world.chosen = { name: 'Emulator', by: 'workspace' };
    await store.refresh();
    assert.deepEqual([store.snapshot.startsEmulator, store.snapshot.state], [false, 'none']);
    assert.equal(store.snapshot.reason, 'The emulator is stopped.');
    world.emulator.running = { url: 'http://127.0.0.1:4711', key: 'k' };
    await store.refresh();
    assert.equal(store.snapshot.state, 'ready');
  });

  it('starts the emulator of an untrusted workspace only when trust is granted', async () => {
    const { world, store } = createWorld();
    world.chosen = { name: 'Emulator', by: 'user' };
    world.isTrusted = false;
    await store.refresh();
    assert.deepEqual([store.snapshot.startsEmulator, store.snapshot.state], [false, 'none']);
    world.isTrusted = true;
    await store.refresh();
    assert.equal(store.snapshot.startsEmulator, true);
  });

  it('shows the newest settings when refreshes overlap, and fires once', async () => {
    const { world, store } = createWorld();
    let release: (status: KeyStatus) => void = () => undefined;
    world.key = new Promise(resolve => {
      release = resolve;
    });
    const slow = store.refresh();
    world.key = { kind: 'missing' };
    world.connections = { Team: { baseUrl: 'https://b.example' } };
    let fired = 0;
    store.onDidChange(() => fired++);
    const fast = store.refresh();
    await fast;
    release({ kind: 'usable', onlyThisWindow: false });
    await slow;
    assert.equal(store.snapshot.current?.baseUrl, 'https://b.example');
    assert.equal(store.snapshot.state, 'noKey');
    assert.equal(fired, 1);
  });

  it("doesn't fire after it was disposed", async () => {
    const { store } = createWorld();
    let fired = 0;
    store.onDidChange(() => fired++);
    const refreshing = store.refresh();
    store.dispose();
    await refreshing;
    assert.equal(fired, 0);
  });
});
