import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/common/emitter';
import { KeyNotStoredError, KeyStore } from '../../../../src/features/connection/keyStore';

/** In-memory secret storage that windows share. A test can make the storage fail. */
class Secrets {
  readonly values = new Map<string, string>();
  reads = 0;
  fails = false;
  forgets = false;
  private readonly changed = new Emitter<{ key: string }>();
  readonly onDidChange = this.changed.event;

  async get(key: string): Promise<string | undefined> {
    this.reads++;
    if (this.fails) {
      throw new Error('keyring locked');
    }
    return this.values.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    if (this.fails) {
      throw new Error('keyring locked');
    }
    if (!this.forgets) {
      this.values.set(key, value);
    }
    this.changed.fire({ key });
  }

  async delete(key: string): Promise<void> {
    this.values.delete(key);
    this.changed.fire({ key });
  }
}

const here = 'https://a.example';
const there = 'https://b.example';
const credential = { key: 'sk-1', origin: here };

describe('features/connection/keyStore', () => {
  it('changes the version with the key, and only then', async () => {
    const store = new KeyStore(new Secrets());
    const versions: number[] = [];
    const look = async () => versions.push(await store.version('Team', here));
    await look();
    await store.save('Team', credential);
    await look();
    await store.save('Team', credential);
    await look();
    await store.save('Team', { ...credential, key: 'sk-2' });
    await look();
    store.keepForThisWindow('Team', { ...credential, key: 'sk-3' });
    await look();
    await store.forget('Team');
    await look();
    assert.deepEqual(versions, [1, 2, 2, 3, 4, 5]);
  });

  it('returns a key for its own origin, and for no other', async () => {
    const keys = new KeyStore(new Secrets());
    await keys.save('Team', credential);
    assert.deepEqual(await keys.credential('Team', here), credential);
    assert.deepEqual(await keys.status('Team', here), { kind: 'usable', onlyThisWindow: false });
    assert.equal(await keys.credential('Team', there), undefined);
    assert.deepEqual(await keys.status('Team', there), { kind: 'otherOrigin', origin: here });
    assert.deepEqual(await keys.status('Other', here), { kind: 'missing' });
  });

  it('reads SecretStorage once until something changes', async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    await keys.save('Team', credential);
    const before = secrets.reads;
    await Promise.all([keys.credential('Team', here), keys.credential('Team', here), keys.status('Team', here)]);
    assert.equal(secrets.reads, before + 1);
  });

  it('notices keys that another window stores or deletes', async () => {
    const secrets = new Secrets();
    const [one, other] = [new KeyStore(secrets), new KeyStore(secrets)];
    assert.deepEqual(await other.status('Team', here), { kind: 'missing' });
    const seen: string[] = [];
    other.onDidChange(name => seen.push(name));
    await one.save('Team', credential);
    assert.deepEqual(await other.credential('Team', here), credential);
    await one.forget('Team');
    assert.equal(await other.credential('Team', here), undefined);
    assert.deepEqual([...new Set(seen)], ['Team']);
  });

  it('reports that the storage fails, or loses a stored key', async () => {
    for (const fault of ['fails', 'forgets'] as const) {
      const secrets = new Secrets();
      secrets[fault] = true;
      await assert.rejects(new KeyStore(secrets).save('Team', credential), (error: unknown) => {
        assert.ok(error instanceof KeyNotStoredError);
        assert.equal(`${error.message}${error.stack}`.includes('sk-1'), false);
        return true;
      });
    }
  });

  it('keeps a key for this window only on request, until the storage has one', async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    keys.keepForThisWindow('Team', credential);
    assert.deepEqual(await keys.status('Team', here), { kind: 'usable', onlyThisWindow: true });
    assert.deepEqual([...secrets.values], []);
    await keys.save('Team', { key: 'sk-2', origin: here });
    assert.deepEqual(await keys.credential('Team', here), { key: 'sk-2', origin: here });
    await keys.forget('Team');
    assert.deepEqual(await keys.status('Team', here), { kind: 'missing' });
  });

  it('survives a locked storage or an invalid value, and reads again later', async () => {
    const secrets = new Secrets();
    const keys = new KeyStore(secrets);
    await keys.save('Team', credential);
    secrets.fails = true;
    assert.deepEqual(await keys.status('Team', here), { kind: 'unreadable' });
    secrets.fails = false;
    assert.deepEqual(await keys.status('Team', here), { kind: 'usable', onlyThisWindow: false });
    for (const value of ['sk-plain', '{"key":"sk-1"}', '{"key":"","origin":"x"}', 'null', '[]']) {
      for (const key of secrets.values.keys()) {
        await secrets.store(key, value);
      }
      assert.deepEqual(await keys.status('Team', here), { kind: 'unreadable' }, value);
    }
  });
});
