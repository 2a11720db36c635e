import assert from 'node:assert/strict';
import { redactValue } from '../../../../src/common/text/redactValue';

describe('common/text/redactValue', () => {
  it('masks fields that are named for secrets, at any depth', () => {
    const told = JSON.stringify(
      redactValue({
        headers: { Authorization: 'plainwords', Cookie: 'a=b' },
        list: [{ github_token: 'plainwords', clientSecret: 'plainwords', db_password: 'plainwords' }],
      }),
    );
    assert.ok(!told.includes('plainwords') && !told.includes('a=b'), told);
  });

  it('keeps useful data: names of counting fields, and personal data', () => {
    const value = { max_tokens: 5, output_tokens: 7, stop_reason: 'max_tokens', text: 'Write to ada@lovelace.dev' };
    assert.deepEqual(redactValue(value), value);
  });

  it("accepts objects that can't be converted to text", () => {
    const value: readonly unknown[] = [{ toString: 'a field' }, { toString: null, valueOf: 1 }, ['Authorization'], 'told'];
    assert.deepEqual(redactValue(value), value);
  });

  const canary = 'sk-9fK2mQ7xLw4TzB8vR3nY6cHd';
  const word = 'plainwords';
  const assertHidden = (value: unknown) => {
    const told = JSON.stringify(redactValue(value));
    assert.ok(!told.includes(word) && !told.includes('mQ7xLw4') && !told.includes('cGxhaW53'), told);
  };

  it('masks JSON inside text, however often it was escaped', () => {
    let text = JSON.stringify({ api_key: word, nested: { 'x-api-key': word }, said: canary });
    for (let depth = 0; depth < 4; depth++) {
      assertHidden(text);
      assertHidden({ input: text });
      assertHidden(`The tool was called with ${text}, and failed.`);
      text = JSON.stringify(text);
    }
    assertHidden(`{"key": "${canary.replace('-', '\\u002d')}"}`);
    assertHidden(`{'api_key': '${word}', "password": "${word}"}`);
  });

  it('masks values of pairs and announced lists, and all of a composed secret', () => {
    for (const value of [
      { name: 'X-Api-Key', value: word },
      [{ key: 'DB_PASSWORD', value: word }],
      [['Authorization', word]],
      ['Host', 'a.example', 'Cookie', word],
      ['deploy', '--db-password', word],
      { password: { value: word }, secrets: [word], token: { a: { b: word } } },
      { aws_secret_access_key: word, accessKey: word, passphrase: word, pass: word, pwd: word },
    ]) {
      assertHidden(value);
    }
  });

  it('masks secrets in shell commands, addresses and headers', () => {
    for (const text of [
      `DB_PASSWORD=${word} ./run`,
      `export API_KEY=${word}\nexport GITHUB_TOKEN="${word}"`,
      `tool --api-key=${word} --password ${word} --token '${word}'`,
      `https://a.example/?api_key=${word}&token=${word}`,
      'Authorization: Basic cGxhaW53b3Jkcw==',
      `Set-Cookie: sid=${word}; Path=/`,
      `const password = '${word}', apiKey: "${word} and more";`,
    ]) {
      assertHidden(text);
    }
  });

  it('keeps sentences, schemas, counts and placeholders', () => {
    for (const value of [
      'messages.0: token: Field required',
      'The password: must have eight characters.',
      { properties: { password: { type: 'string', description: 'The password of the user' } } },
      { columns: ['id', 'token', 'text', 'password', 'kind'] },
      { tokens: { input: 5, output: 7 }, token: 3, passed: 'yes', compass: 'north' },
      { name: 'question', value: 'kept' },
      'run with TOKEN=$TOKEN or --password <yours>, max_tokens=500',
      '{"a": 1.50, "b":  [1e3]}',
    ]) {
      assert.deepEqual(redactValue(value), value);
    }
  });
});
