// These functions are sent to the page and run there. They aren't type-checked: the names are a browser's.

/** code-server's own service worker only makes it an installable app, and delays the first webview by seconds. */
export function refuseAppWorker() {
  const register = ServiceWorkerContainer.prototype.register;
  ServiceWorkerContainer.prototype.register = function (url, ...rest) {
    return String(url).includes('/out/browser/serviceWorker.js')
      ? Promise.reject(new Error('not needed in tests'))
      : register.call(this, url, ...rest);
  };
}

/** Ends every animation at once. The page's policy allows a constructed style sheet. */
export function stopMotion() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '*, *::before, *::after { animation-duration: 0s !important; animation-delay: 0s !important; animation-iteration-count: 1 !important; transition: none !important; }',
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/**
 * Changes the configuration of the workbench so that the window runs tests of an extension. Such a window confirms its own dialogs. Does
 * nothing if the page doesn't have `cookie`.
 * @param {{ cookie?: string, extensions: readonly object[], extensionTestsPath: object }} options
 */
export function openForTests({ cookie = '', ...developmentOptions }) {
  if (window !== window.top || !document.cookie.includes(cookie)) {
    return;
  }
  const original = Element.prototype.getAttribute;
  Element.prototype.getAttribute = function (name) {
    const value = original.call(this, name);
    if (name !== 'data-settings' || this.id !== 'vscode-workbench-web-configuration' || value === null) {
      return value;
    }
    Element.prototype.getAttribute = original;
    return JSON.stringify({ ...JSON.parse(value), developmentOptions });
  };
}

/**
 * Returns the visible content of the quick input as `{ seen }`, '' if no quick input is open, or null while the content equals `known`.
 * @param {string | undefined} known
 */
export function quickInputState(known) {
  const widget = document.querySelector('.quick-input-widget');
  const isOpen = widget !== null && widget.style.display !== 'none';
  const inputs = isOpen ? [...widget.querySelectorAll('input')].map(input => [input.type, input.placeholder, input.value]) : [];
  const seen = isOpen ? JSON.stringify([inputs, widget.textContent]) : '';
  return seen === known ? null : { seen };
}

/**
 * Returns whether the first element that matches the selector `field` has one of `texts` as its value.
 * @param {{ field: string, texts: readonly string[] }} options
 */
export function holdsText({ field, texts }) {
  return texts.includes(document.querySelector(field)?.value);
}

/**
 * Returns the selectors that match a visible element.
 * @param {readonly string[]} selectors
 */
export function whatIsOpen(selectors) {
  return selectors.filter(selector => document.querySelector(selector)?.checkVisibility() === true);
}

/** Returns the visible lines of tabs, trees, questions and notifications, for logs without a picture. */
export function readableLines() {
  const places = {
    tab: '.editor-group-container .tab.active',
    row: '.part.sidebar .monaco-list-row',
    question: '.monaco-dialog-box, .quick-input-widget',
    toast: '.notification-toast .notification-list-item',
    status: '.statusbar-item[id*="managed-agents"]',
  };
  return Object.entries(places).flatMap(([place, selector]) =>
    [...document.querySelectorAll(selector)]
      .filter(element => element.checkVisibility())
      .slice(0, 40)
      .map(element => `${place}: ${(element.getAttribute('aria-label') ?? element.innerText).replace(/\s+/g, ' ').slice(0, 160)}`),
  );
}

/**
 * Returns whether VS Code has saved a text in the state of its windows. With `isPanel`, `text` is the title of a panel whose own state must
 * be saved too.
 * @param {{ text: string, isPanel: boolean }} sought
 */
export async function isWrittenDown({ text, isPanel }) {
  const holds = written =>
    written
      .split(text)
      .slice(1)
      .some(rest => !isPanel || rest.split('workbench.editors.')[0].includes('\\"state\\":'));
  const settled = request =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name } of await indexedDB.databases()) {
    const database = await settled(indexedDB.open(name));
    try {
      for (const store of database.objectStoreNames) {
        const values = await settled(database.transaction(store).objectStore(store).getAll());
        if (values.some(value => holds(value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value)))) {
          return true;
        }
      }
    } finally {
      database.close();
    }
  }
  return false;
}

/**
 * Returns whether an editor line that contains `text` has a CSS decoration with `words`.
 * @param {{ lines: string, text: string, words: string }} options
 */
export function lineShowsWords({ lines, text, words }) {
  return [...document.querySelectorAll(lines)].some(
    line =>
      line.textContent.includes(text) &&
      [...line.querySelectorAll('span')].some(span => getComputedStyle(span, '::after').content.includes(words)),
  );
}
