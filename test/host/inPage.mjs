// These functions are sent to the page and run there. Unchecked: the names are a browser's.

/** code-server's own service worker only makes it an installable app, and delays the first webview by seconds. */
export function refuseAppWorker() {
  const register = ServiceWorkerContainer.prototype.register;
  ServiceWorkerContainer.prototype.register = function (url, ...rest) {
    return String(url).includes('/out/browser/serviceWorker.js')
      ? Promise.reject(new Error('not needed in tests'))
      : register.call(this, url, ...rest);
  };
}

/**
 * The workbench takes the extension under development and its tests from its configuration element.
 * @param {object} options
 */
export function addDevelopmentOptions(options) {
  if (window !== window.top) {
    return;
  }
  const original = Element.prototype.getAttribute;
  Element.prototype.getAttribute = function (name) {
    const value = original.call(this, name);
    if (name !== 'data-settings' || this.id !== 'vscode-workbench-web-configuration' || value === null) {
      return value;
    }
    Element.prototype.getAttribute = original;
    return JSON.stringify({ ...JSON.parse(value), developmentOptions: options });
  };
}

/**
 * All that a person sees of the quick input, '' where there is none, as `{ seen }`; null while that is what is known.
 * @param {string | undefined} known
 */
export function quickInputState(known) {
  const widget = document.querySelector('.quick-input-widget');
  const isOpen = widget !== null && widget.style.display !== 'none';
  const inputs = isOpen ? [...widget.querySelectorAll('input')].map(input => [input.type, input.placeholder, input.value]) : [];
  const seen = isOpen ? JSON.stringify([inputs, widget.textContent]) : '';
  return seen === known ? null : { seen };
}

/** @param {string} editor selector of the editor that is asked about */
export function isCursorAtProblem(editor) {
  const cursor = document.querySelector(`${editor} .cursors-layer .cursor`)?.getBoundingClientRect();
  const problems = [...document.querySelectorAll(`${editor} :is(.squiggly-error, .squiggly-warning)`)];
  return (
    cursor !== undefined &&
    problems
      .map(problem => problem.getBoundingClientRect())
      .some(({ x, y, bottom }) => Math.abs(x - cursor.x) <= 2 && bottom > cursor.y && y <= cursor.bottom)
  );
}
