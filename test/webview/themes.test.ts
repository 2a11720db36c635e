import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Matches variables that are not colours of a theme, and a colour that VS Code's own themes don't define. */
const given = /^--vscode-(?:(?:editor-)?font-(?:family|size|weight)|list-inactiveSelectionForeground)$/;

describe('webview/themes', () => {
  it('uses only variables that VS Code themes define', () => {
    const themes: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(
      readFileSync('test/fixtures/webview/themes.json', 'utf8'),
    );
    const known = new Set(Object.values(themes).flatMap(variables => Object.keys(variables)));
    const unknown = readdirSync('src/webview', { recursive: true, encoding: 'utf8' })
      .filter(name => /\.(?:css|tsx?)$/.test(name))
      .flatMap(name =>
        (readFileSync(path.join('src/webview', name), 'utf8').match(/--vscode-[\w-]+/g) ?? [])
          .filter(variable => !known.has(variable) && !given.test(variable))
          .map(variable => `${name}: ${variable}`),
      );
    assert.deepEqual(unknown, []);
  });
});
