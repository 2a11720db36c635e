import assert from 'node:assert/strict';
import { differenceFrom, type Subject } from '../../../../src/client/transport/subject';

describe('client/transport/subject', () => {
  const batch: Subject = { type: 'message_batch', id: 'a' };
  const version: Subject = { type: 'skill_version', id: '17', idFields: ['id', 'version'], within: { skill_id: 's' } };

  const same: readonly (readonly [string, Subject, unknown, isDelete?: boolean])[] = [
    ['the resource that was asked for', batch, { id: 'a', type: 'message_batch' }],
    ['no id and no type', batch, {}],
    ['fields of other types', batch, { id: 7, type: null }],
    ['an empty id', batch, { id: '' }],
    ['a type that the contract does not have', batch, { id: 'a', type: 'message_batch_v2' }],
    ['no object', batch, 'done'],
    ['a new resource, whose id nobody knows', { type: 'session' }, { id: 'x', type: 'session' }],
    ['a deletion', batch, { id: 'a', type: 'message_batch_deleted' }, true],
    ['the resource itself as the answer to a delete', batch, { id: 'a', type: 'message_batch' }, true],
    ['one of two names', version, { id: 'skillver_1', version: '17', skill_id: 's' }],
    ['the one name of two that there is', version, { id: '17' }],
    ['the other name as the answer to a delete', version, { id: 'skillver_1', type: 'skill_version_deleted' }, true],
  ];
  for (const [name, subject, answer, isDelete] of same) {
    it(`accepts ${name}`, () => {
      assert.equal(differenceFrom(subject, answer, isDelete), undefined);
    });
  }

  const others: readonly (readonly [string, Subject, unknown, RegExp, isDelete?: boolean])[] = [
    ['another id', batch, { id: 'z', type: 'message_batch' }, /^its id is "z", not "a"$/],
    ['an id in another case', batch, { id: 'A' }, /^its id is "A"/],
    ['another type', batch, { id: 'a', type: 'session' }, /^its type is "session", not "message_batch"$/],
    ['an error', batch, { id: 'a', type: 'error' }, /^its type is "error"/],
    ['an error where any type is right', {}, { type: 'error' }, /^its type is "error"$/],
    ['a deletion where none was asked for', batch, { id: 'a', type: 'message_batch_deleted' }, /^its type is/],
    ['the deletion of another type', batch, { id: 'a', type: 'session_deleted' }, /^its type is/, true],
    ['the deletion of another id', batch, { id: 'z', type: 'message_batch_deleted' }, /^its id is "z"/, true],
    ['another parent', version, { id: '17', skill_id: 't' }, /^its skill_id is "t", not "s"$/],
    ['two other names', version, { id: 'skillver_2', version: '18' }, /^its id is "skillver_2", not "17"$/],
    ['one other name', version, { id: 'skillver_2' }, /^its id is/],
    ['two other names after a delete', version, { id: 'skillver_2', version: '18' }, /^its id is/, true],
    ['what hides in an id', batch, { id: `a\u202e\n${'b'.repeat(500)}` }, /^its id is "a\\u\{202e\} b{1,100}…", not "a"$/],
  ];
  for (const [name, subject, answer, words, isDelete] of others) {
    it(`rejects ${name}`, () => {
      assert.match(differenceFrom(subject, answer, isDelete) ?? '', words);
    });
  }
});
