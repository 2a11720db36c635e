// These functions are sent to the page and run there. Unchecked: the names are a browser's.

/**
 * Stands in for VS Code: keeps what the panel posts and what it wants kept.
 * @param {object | undefined} kept
 */
export function fakeHost(kept) {
  globalThis.posted = [];
  globalThis.kept = kept;
  globalThis.acquireVsCodeApi = () => ({
    postMessage: message => globalThis.posted.push(structuredClone(message)),
    getState: () => globalThis.kept,
    setState: state => {
      globalThis.kept = structuredClone(state);
    },
  });
}

/** @param {string} messages JSON */
export function postAll(messages) {
  for (const message of JSON.parse(messages)) {
    window.dispatchEvent(new MessageEvent('message', { data: message }));
  }
}

export function takePosted() {
  return globalThis.posted;
}

export function takeKept() {
  return globalThis.kept;
}

/** Settles when what was posted before has been drawn. */
export function drawn() {
  return new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
}
