import type { Chromium } from './chromium.mjs';
import type { Runtime } from './runtime.mjs';

/** What the runner tells a test file that drives the workbench from outside, as JSON in `MANAGED_AGENTS_TEST_HOST`. */
export interface HostContext {
  /** Folder of the built extension. */
  readonly extension: string;
  /** Folder of the built extension that acts for the test inside VS Code. */
  readonly actor: string;
  /** The built module that VS Code loads to run tests inside the extension host. */
  readonly entry: string;
  readonly runtime: Runtime;
  readonly chromium: Chromium;
  /** Folder for pictures that people look at; absent where none are taken. */
  readonly screenshots?: string;
  /** Folder for what a failed test leaves. */
  readonly evidence: string;
}
