// These functions are sent to the page and run there. Unchecked: the names are a browser's.

/**
 * Stands in for VS Code: keeps what the panel posts and what it wants kept.
 * @param {{ kept: object | undefined, answer: object | undefined }} options `answer` comes back at once when the page is ready
 */
export function fakeHost({ kept, answer }) {
  globalThis.posted = [];
  globalThis.kept = kept;
  globalThis.acquireVsCodeApi = () => ({
    postMessage: message => {
      globalThis.posted.push(structuredClone(message));
      if (message.type === 'ready' && answer !== undefined) {
        window.dispatchEvent(new MessageEvent('message', { data: answer }));
      }
    },
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

/** @param {number} before */
export function hasScrolledFrom(before) {
  return document.querySelector('[role="feed"]').scrollTop !== before;
}

export function nameOfFocused() {
  const focused = document.activeElement;
  return focused?.getAttribute('aria-label') ?? focused?.textContent?.trim() ?? '';
}

export function placesOf() {
  return [...document.querySelectorAll('[role="feed"] article')].map(row => Number(row.getAttribute('aria-posinset')));
}

/** Controls that a screen reader could say nothing of, as HTML. */
export function namelessControls() {
  const nameOf = element => {
    const labelledBy = element.getAttribute('aria-labelledby');
    const label = labelledBy === null ? element.getAttribute('aria-label') : document.getElementById(labelledBy)?.textContent;
    return (label ?? element.labels?.[0]?.textContent ?? element.textContent ?? '').trim();
  };
  const controls =
    'button, input, select, textarea, summary, progress, dialog, [role="link"], [role="tab"], [role="feed"], [role="toolbar"], article, img';
  return [...document.querySelectorAll(controls)].filter(element => nameOf(element) === '').map(element => element.outerHTML.slice(0, 120));
}

/** From now on keeps what live regions say. */
export function spokenTexts() {
  globalThis.spoken = [];
  for (const region of document.querySelectorAll('[aria-live="polite"], [aria-live="assertive"]')) {
    new MutationObserver(() => globalThis.spoken.push(region.textContent)).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  }
}

/** @param {string} type */
export function hasPosted(type) {
  return globalThis.posted.some(message => message.type === type);
}

/** @param {string} words */
export function hasSpoken(words) {
  return globalThis.spoken.some(text => text.includes(words));
}

/**
 * Colours and sizes that a workbench gives to webviews, by the names of their variables.
 * @returns {Record<string, string>}
 */
export function variablesOfTheme() {
  const workbench = document.querySelector('.monaco-workbench');
  return Object.fromEntries([...workbench.computedStyleMap()].map(([name, value]) => [name, String(value[0]).trim()]));
}

/**
 * Has the host send 30 rows in every frame, `from` this number on, until `storm` is set to false.
 * @param {number} from
 */
export function startStorm(from) {
  globalThis.storm = true;
  let seq = from;
  const send = () => {
    if (globalThis.storm) {
      const rows = Array.from({ length: 30 }, () => {
        const number = seq++;
        const base = { key: `storm_${number}`, seq: number, at: 0, summary: `Storm ${number}` };
        return { ...base, kind: 'agent', type: 'agent.message', parts: [{ type: 'text', text: `Storm ${number}` }] };
      });
      postMessage({ type: 'amend', thread: '', splices: [{ at: seq - 30, remove: 0, rows }] }, '*');
      requestAnimationFrame(send);
    }
  };
  send();
}

export function endStorm() {
  globalThis.storm = false;
}
