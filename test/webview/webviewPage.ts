import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { eventually } from './eventually';
import { nameOfFocused, passTime, postAll, rendered, takePosted, takeSavedState, takeSpoken, wearTheme } from './inPanel.mjs';
import { SharedPage } from './sharedPage';
import { bodyClass, contentsOf, type ThemeName, themeNames } from './webviewContents';

export { type ThemeName, themeNames } from './webviewContents';

/** Themes of tests that don't depend on colours. Other themes are only needed for screenshots (TEST_PICTURES). */
export const pictureThemes: readonly ThemeName[] = process.env.TEST_PICTURES === 'yes' ? themeNames : ['dark'];

/** Returns the tag of a test that runs in each theme. Every tier tests the dark theme, and `.ci/run` also tests the others. */
export function tagOf(theme: ThemeName): string {
  return theme === 'dark' ? '' : ' @ci';
}

export interface PageOptions<State extends object> {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  /** State that an earlier page has saved. */
  readonly kept?: State;
  /** State that the host writes into the page. */
  readonly fromHost?: State;
  /** The user's choice of motion, for tests of animations. By default, nothing moves. */
  readonly motion?: 'full' | 'reduced';
  /** True if time only passes with `pass`. */
  readonly isClockHeld?: boolean;
}

/** Page that the running test has opened. */
let open: SharedPage | undefined;

/** Closes the page of each test of a suite. Fails if a page had errors or requested other addresses. */
export function usePages(): void {
  afterEach(async function () {
    const ended = open;
    open = undefined;
    if (this.currentTest?.state === 'failed') {
      await ended?.leave(this.currentTest.fullTitle());
    } else if (ended !== undefined) {
      assert.deepEqual(await ended.empty(), { problems: [], requests: [] });
    }
  });
}

/**
 * A webview in a page of a real Chromium, with the Content-Security-Policy and the theme variables of VS Code, and a host that posts a
 * test's messages. All webviews of a process share one page. Opening a webview closes the previous webview, like a reload.
 */
export class WebviewPage<From extends { readonly type: string }, To extends object, State extends object> {
  private shared: SharedPage | undefined;
  private answered = 0;

  get page(): Page {
    if (this.shared === undefined) {
      throw new Error('The page is not open.');
    }
    return this.shared.page;
  }

  /** Opens the bundle of a webview. Resolves once the webview has sent `ready`. The host sends `answers` at the same moment. */
  protected async start(name: string, options: PageOptions<State>, answers: readonly To[] = []): Promise<void> {
    const { theme = 'dark', width = 900, height = 700, kept, fromHost = {}, motion, isClockHeld = false } = options;
    const contents = contentsOf(name, { theme, fromHost, kept, answers, isStill: motion === undefined, isClockHeld });
    this.shared = await SharedPage.take();
    open = this.shared;
    await this.shared.show(contents, { width, height, reducedMotion: motion !== 'full' });
    await eventually(async () =>
      assert.ok(((await this.page.evaluate(takePosted)) as readonly From[]).some(({ type }) => type === 'ready')),
    );
  }

  /** Posts messages as the host does, in one turn. */
  async post(...messages: readonly To[]): Promise<void> {
    // Sent as one text, because transferring single objects takes a hundred times as long.
    await this.page.evaluate(postAll, JSON.stringify(messages));
  }

  /** Returns the messages that the page has posted since the last call. */
  async since(): Promise<readonly From[]> {
    const posted = (await this.page.evaluate('globalThis.posted')) as readonly From[];
    const messages = posted.slice(this.answered);
    this.answered = posted.length;
    return messages;
  }

  /** Responds to the page's messages as its host does, until there are none. Returns the messages. */
  protected async answerAll(toAnswer: (message: From) => readonly To[]): Promise<readonly From[]> {
    const served: From[] = [];
    for (let round = 0; round < 20; round++) {
      await this.rendered();
      const messages = await this.since();
      if (messages.length === 0) {
        break;
      }
      served.push(...messages);
      await this.post(...messages.flatMap(toAnswer));
    }
    return served;
  }

  /** Switches the colour theme, as VS Code does when the user selects one. */
  async setTheme(theme: ThemeName): Promise<void> {
    await this.page.evaluate(wearTheme, { theme, bodyClass: bodyClass[theme] });
    await this.rendered();
  }

  /** Resolves once everything posted is rendered. */
  async rendered(): Promise<void> {
    await this.page.evaluate(rendered);
  }

  /** Asserts that a value doesn't change in this frame and the next ones. */
  async stays(read: () => Promise<unknown>, expected: unknown): Promise<void> {
    for (let picture = 0; picture < 3; picture++) {
      assert.deepEqual(await read(), expected);
      await this.rendered();
    }
  }

  /** Advances the held clock, and resolves once the effects are rendered. */
  async pass(milliseconds: number): Promise<void> {
    await this.page.evaluate(passTime, milliseconds);
    await this.rendered();
  }

  /** Waits until a screen reader has announced `words` since `spokenTexts`. The clock must be held. */
  async says(words: string): Promise<void> {
    await eventually(async () => {
      await this.pass(1000);
      const spoken = await this.spoken();
      assert.ok(spoken.includes(words), `${words} is not in\n${spoken}`);
    });
  }

  /** Returns the announcements since `spokenTexts`. */
  async spoken(): Promise<string> {
    return ((await this.page.evaluate(takeSpoken)) as readonly string[]).join('\n');
  }

  /** Returns the messages of one type, in order. */
  async posted<T extends From['type']>(type: T): Promise<readonly Extract<From, { type: T }>[]> {
    const all = (await this.page.evaluate(takePosted)) as readonly From[];
    return all.filter((message): message is Extract<From, { type: T }> => message.type === type);
  }

  /** Waits for a message of one type, and returns it. `index` counts the messages of this type, from 0. */
  async message<T extends From['type']>(type: T, index = 0): Promise<Extract<From, { type: T }>> {
    return await eventually(async () => {
      const message = (await this.posted(type))[index];
      assert.ok(message !== undefined, `no more than ${index} of ${type} were posted`);
      return message;
    });
  }

  /** Returns the state that the page has saved. */
  async kept(): Promise<Partial<State>> {
    return ((await this.page.evaluate(takeSavedState)) as State | undefined) ?? {};
  }

  /** Writes a screenshot to `out/screenshots` if TEST_PICTURES asks for it, optionally of another height. */
  async screenshot(name: string, height?: number): Promise<void> {
    if (process.env.TEST_PICTURES === 'yes') {
      if (height !== undefined) {
        await this.page.setViewportSize({ width: this.page.viewportSize()?.width ?? 0, height });
        await this.rendered();
      }
      mkdirSync('out/screenshots', { recursive: true });
      await this.page.screenshot({ path: `out/screenshots/${name}.png` });
    }
  }

  /** Presses Tab several times. Returns the HTML of each focused element that has no visible focus indicator. */
  async unseenFocus(presses: number): Promise<readonly string[]> {
    const unseen: string[] = [];
    for (let press = 0; press < presses; press++) {
      await this.page.keyboard.press('Tab');
      const [name, isSeen] = (await this.page.evaluate(
        `(() => { const e = document.activeElement, s = getComputedStyle(e);
          return [e.outerHTML.slice(0, 80), e === document.body || (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 && !/rgba?\\(.*, 0\\)/.test(s.outlineColor))]; })()`,
      )) as [string, boolean];
      if (!isSeen) {
        unseen.push(name);
      }
    }
    return unseen;
  }

  /** Returns the accessible name of the focused element. */
  async focused(): Promise<string> {
    return await this.page.evaluate(nameOfFocused);
  }
}
