import { ownValue } from '../../../shared/isRecord';

/** Names of languages in code fences, and file extensions, with the language that colours them. */
const languages: Readonly<Record<string, string>> = {
  ...{ bash: 'bash', sh: 'bash', shell: 'bash', zsh: 'bash', console: 'bash' },
  ...{ css: 'css', scss: 'css', less: 'css' },
  ...{ diff: 'diff', patch: 'diff' },
  ...{ go: 'go', golang: 'go' },
  ...{ javascript: 'javascript', js: 'javascript', jsx: 'javascript', mjs: 'javascript', cjs: 'javascript' },
  ...{ json: 'json', jsonc: 'json', json5: 'json', jsonl: 'json' },
  ...{ python: 'python', py: 'python', pyi: 'python' },
  ...{ rust: 'rust', rs: 'rust', sql: 'sql' },
  ...{ typescript: 'typescript', ts: 'typescript', tsx: 'typescript', mts: 'typescript', cts: 'typescript' },
  ...{ xml: 'xml', html: 'xml', htm: 'xml', svg: 'xml', vue: 'xml' },
  ...{ yaml: 'yaml', yml: 'yaml' },
};

/** Returns the language of the first word after a code fence, or `undefined` if it is unknown. */
export function languageOfFence(info: string): string | undefined {
  return known(/^\s*([\w+#-]+)/.exec(info)?.[1]);
}

/** Returns the language of a file by its extension. */
export function languageOfPath(path: string): string | undefined {
  return known(/\.(\w+)$/.exec(path)?.[1]);
}

/** Returns the language of a text without a name: JSON or none. */
export function languageOfText(text: string): string | undefined {
  return /^\s*(?:\{\s*["}]|\[\s*[[{"\]\d])/.test(text.slice(0, 200)) ? 'json' : undefined;
}

function known(name: string | undefined): string | undefined {
  return ownValue(languages, name?.toLowerCase());
}
