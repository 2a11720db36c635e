// These functions are sent to the page and run there, before the workbench does. Unchecked: the names are a browser's.

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
