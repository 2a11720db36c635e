import assert from 'node:assert/strict';
import type { ServiceHealth } from '../../../../src/client/transport/errors';
import { nameWithHost } from '../../../../src/common/text/presentation';
import type { Connection } from '../../../../src/features/connection/connection';
import { defaultLimits } from '../../../../src/features/connection/connectionSettings';
import { otherHost, toStateWords, toStatusBarText } from '../../../../src/features/connection/connectionStatusBarItem';
import { type ConnectionsSnapshot, toEmulatorConnection } from '../../../../src/features/connection/connectionStore';
import type { KeyStatus } from '../../../../src/features/connection/keyStore';
import { fillPlaceholders } from '../requests/fillPlaceholders';

const team: Connection = {
  name: 'Team',
  baseUrl: 'https://a.example:8443/x',
  auth: 'bearer',
  dialect: 'contract',
  extraBetas: [],
  limits: defaultLimits,
  allowInsecureHttp: false,
  isEmulator: false,
};
const emulator = toEmulatorConnection('http://127.0.0.1:4711');
const usable: KeyStatus = { kind: 'usable', onlyThisWindow: false };

const show = (snapshot: Partial<ConnectionsSnapshot>, isStarting = false, standing: ServiceHealth = 'answers') =>
  toStatusBarText(
    {
      connections: [team, emulator],
      problems: [],
      chosen: { name: 'Team', by: 'user' },
      current: team,
      access: 'Team 1',
      state: 'ready',
      reason: undefined,
      keys: new Map([['Team', usable]]),
      startsEmulator: false,
      ...snapshot,
    },
    isStarting,
    standing,
    fillPlaceholders,
  );

describe('features/connection/connectionStatusBarItem', () => {
  it('names the connection, and its host, names and header in the tooltip', () => {
    const shown = show({});
    assert.equal(shown?.text, '$(plug) Team');
    assert.equal(shown?.spoken, 'Managed Agents: Team, a.example:8443');
    assert.deepEqual(
      shown?.rows.map(([label]) => label),
      ['Host', 'API names', 'API key header'],
    );
    assert.equal(shown?.rows[0]?.[1], 'a.example:8443');
    assert.equal(shown?.rows[2]?.[1], 'Authorization: Bearer');
  });

  it("shows that the key was rejected, or that the service wasn't reached", () => {
    const refused = show({}, false, 'keyRefused');
    assert.equal(refused?.text, '$(warning) Team: key rejected');
    assert.equal(refused?.spoken, 'Team: key rejected');
    assert.equal(refused?.sentence, 'The service rejected the API key.');
    const dead = show({}, false, 'unreachable');
    assert.equal(dead?.text, '$(debug-disconnect) Team: unreachable');
    assert.equal(dead?.sentence, "a.example:8443 couldn't be reached.");
    assert.deepEqual(dead?.rows, show({})?.rows);
    assert.equal(show({ state: 'noKey' }, false, 'unreachable')?.text, '$(warning) Team: no key');
    assert.equal(show({ current: emulator }, false, 'unreachable')?.text, show({ current: emulator })?.text);
  });

  it('shows the host of a connection with the same name once', () => {
    const named = { ...team, name: 'a.example:8443' };
    assert.equal(show({ current: named })?.spoken, 'Managed Agents: a.example:8443');
    assert.deepEqual([otherHost(named), otherHost(team)], [undefined, 'a.example:8443']);
    assert.equal(nameWithHost({ name: 'a', host: 'a' }), 'a');
    assert.equal(nameWithHost({ name: 'a', host: 'b' }), 'a (b)');
  });

  it('shows every other state in words, not only by an icon', () => {
    assert.equal(show({ state: 'noKey', reason: 'why' })?.text, '$(warning) Team: no key');
    assert.equal(show({ state: 'noKey', reason: 'why' })?.sentence, 'why');
    assert.equal(show({ state: 'untrusted' })?.text, '$(shield) Team: not trusted yet');
    assert.equal(show({ current: undefined, state: 'none', reason: 'gone' })?.spoken, 'gone');
    assert.equal(show({ current: emulator })?.spoken, 'Managed Agents: Emulator, running');
    assert.equal(show({ current: emulator }, true)?.spoken, 'Managed Agents: Emulator, starting');
    assert.equal(show({ current: emulator, state: 'none' })?.text, '$(vm-outline) Emulator: stopped');
  });

  it('is hidden before there are connections', () => {
    const nothing = { connections: [emulator], chosen: { name: '', by: 'user' }, current: undefined, state: 'none' } as const;
    assert.equal(show(nothing), undefined);
    assert.notEqual(show({ ...nothing, connections: [team, emulator] }), undefined);
  });

  it("can't be forged by a name", () => {
    const shown = show({ current: { ...team, name: `a\u202e${'b'.repeat(100)}` }, keys: new Map() });
    assert.equal(shown?.text.includes('\u202e'), false);
    assert.ok((shown?.text.length ?? 0) < 60);
  });

  it('shows ignored settings and a key that is kept for this window only', () => {
    const shown = show({
      problems: [{ name: 'Team', isFatal: false, message: 'Its "auth" is ignored.' }],
      keys: new Map([['Team', { kind: 'usable', onlyThisWindow: true }]]),
    });
    assert.deepEqual(shown?.rows.slice(3), [
      ['Key unchanged', 'until this window closes'],
      ['Settings', 'Its "auth" is ignored.'],
    ]);
  });

  it('shows in a list what a connection lacks', () => {
    const words = (key: KeyStatus | undefined) => toStateWords(team, key, false, fillPlaceholders);
    assert.equal(words(usable), '');
    assert.equal(words(undefined), 'no key');
    assert.equal(words({ kind: 'unreadable' }), "key can't be read");
    assert.match(words({ kind: 'otherOrigin', origin: 'https://b.example' }), /key for another address/);
    assert.equal(toStateWords(emulator, undefined, true, fillPlaceholders), 'running');
    assert.equal(toStateWords(emulator, undefined, false, fillPlaceholders), 'starts when selected');
  });
});
