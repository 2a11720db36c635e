import assert from 'node:assert/strict';
import { skills } from '../../../src/features/resources/kinds/skills';
import { runActOf } from '../../../src/features/resources/resourceKind';
import { failureOf, json, Loopback } from '../../unit/client/loopback';
import { fillPlaceholders } from '../../unit/features/requests/fillPlaceholders';
import { exchangesOf } from './recorded';

const reference = { connection: 'Lab', kind: 'skill', id: 'skill_kqgnwa0243rw6xyzwdkz3xdc' };

describe('services of other makers: deleting a skill', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.closeAll());

  it('reads the recorded rejection, and deletes the versions, then the skill', async () => {
    const [refused] = exchangesOf('D4-o2-skill-delete');
    const asked: string[] = [];
    let versions = ['17', '16'];
    const origin = await loopback.http((request, response) => {
      const at = `${request.method} ${request.url?.split('?', 1)[0]}`;
      const version = /^DELETE .*\/versions\/(.+)$/.exec(at)?.[1];
      request.resume().on('end', () => {
        if (version !== undefined) {
          asked.push(version);
          versions = versions.filter(one => one !== version);
          json(response, { id: version, type: 'skill_version_deleted' });
        } else if (request.method === 'GET') {
          json(response, { data: versions.map(one => ({ id: `skillver_${one}`, type: 'skill_version', version: one })) });
        } else if (versions.length > 0) {
          response.writeHead(refused?.status ?? 0, { 'content-type': 'application/json' }).end(refused?.res);
        } else {
          asked.push('skill');
          json(response, { id: reference.id, type: 'skill_deleted' });
        }
      });
    });
    const client = loopback.client(origin);
    const act = skills.acts?.delete;
    const seen = { id: reference.id };
    const error = await failureOf(runActOf(skills, 'delete', client, reference, seen));
    const instead = act?.instead?.(error, 'Mine', fillPlaceholders);
    assert.equal(instead?.button, 'Delete');
    assert.match(instead?.detail ?? '', /1 version\(s\) still exist; delete every version first/);
    assert.equal(await instead?.run(client, reference, seen), undefined);
    assert.deepEqual(asked, ['16', '17', 'skill']);
  });

  it('offers nothing for any other rejection', async () => {
    const origin = await loopback.http((request, response) => {
      request.resume().on('end', () => json(response, { error: { type: 'permission_error', message: 'not yours' } }, 403));
    });
    const act = skills.acts?.delete;
    const error = await failureOf(runActOf(skills, 'delete', loopback.client(origin), reference, { id: reference.id }));
    assert.equal(act?.instead?.(error, 'Mine', fillPlaceholders), undefined);
  });
});
