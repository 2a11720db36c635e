import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { readableLines } from '../page/inPage.mjs';

/** Sources of data that explain a failure. */
export interface Evidence {
  /** Folder for the picture and the logs. */
  readonly folder: string;
  readonly page: Page;
  /** Output of the page. */
  readonly lines: readonly string[];
  /**
   * Profile folder of code-server. `began` is the start time of this test file, in milliseconds since 1970. Earlier logs belong to other
   * files.
   */
  readonly profile: string;
  readonly began: number;
  /** Texts that were visible in another window. */
  readonly seenBeside: readonly string[];
}

/** Saves a picture, the logs and the visible texts. The runner prints the texts (`seen.txt`), for people who can't open the other files. */
export async function keepEvidence({ folder, page, lines, profile, began, seenBeside }: Evidence): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, 'page.png') });
  writeFileSync(path.join(folder, 'page.log'), lines.join('\n'));
  const filter = (file: string) => statSync(file).isDirectory() || statSync(file).mtimeMs >= began;
  for (const name of ['server.log', 'user/logs'].filter(name => existsSync(path.join(profile, name)))) {
    cpSync(path.join(profile, name), path.join(folder, path.basename(name)), { recursive: true, force: true, filter });
  }
  const seen = [...(await page.evaluate(readableLines)), ...seenBeside, ...lastLogged(path.join(folder, 'logs'))];
  writeFileSync(path.join(folder, 'seen.txt'), seen.join('\n'));
}

/** Returns the last lines that the extension logged in each window. */
function lastLogged(logs: string): string[] {
  const files = existsSync(logs) ? readdirSync(logs, { recursive: true, encoding: 'utf8' }) : [];
  return files
    .filter(file => path.basename(file) === 'Managed Agents.log')
    .sort()
    .flatMap(file => {
      const lines = readFileSync(path.join(logs, file), 'utf8').trimEnd().split('\n').slice(-6);
      return lines.map(line => `log of ${/exthost\d*/.exec(file)?.[0] ?? file}: ${line.slice(0, 160)}`);
    });
}
