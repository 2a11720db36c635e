import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { becomes } from './eventually';
import type { ThemeName } from './webviewContents';

interface Axe {
  run(options: { readonly runOnly?: readonly string[] }): Promise<{
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
    }[];
  }>;
}

let script: string | undefined;

/** Returns the violations that axe-core finds in a page: rule, element and reason. Checks all rules unless `rules` is given. */
export async function axeFindings(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  script ??= readFileSync(createRequire(path.resolve('package.json')).resolve('axe-core/axe.min.js'), 'utf8');
  // Injected by the debugger, because the page's policy blocks other scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) {
    await page.evaluate(script);
  }
  return await page.evaluate(async runOnly => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(runOnly === undefined ? {} : { runOnly });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)}: ${failureSummary.replace(/\s+/g, ' ').slice(0, 300)}`),
    );
  }, rules);
}

/** Asserts that axe-core finds no violations in a page: all rules in the dark theme, contrast in a light and a high contrast theme. */
export async function isFlawless(shown: { readonly page: Page; setTheme(theme: ThemeName): Promise<void> }): Promise<void> {
  for (const theme of ['dark', 'light', 'highContrast'] as const) {
    await shown.setTheme(theme);
    await becomes(async () => [theme, ...(await axeFindings(shown.page, theme === 'dark' ? undefined : ['color-contrast']))], [theme]);
  }
}
