// These functions are sent to the page and run there. They aren't type-checked: the names are a browser's.

/**
 * Replaces VS Code's API. Records the posted messages and the saved state.
 * @param {{ kept: object | undefined, answers: readonly object[] }} options `answers` are sent to the page as soon as it is ready
 */
export function fakeHost({ kept, answers }) {
  globalThis.posted = [];
  globalThis.kept = kept;
  globalThis.acquireVsCodeApi = () => ({
    postMessage: message => {
      globalThis.posted.push(structuredClone(message));
      for (const answer of message.type === 'ready' ? answers : []) {
        window.dispatchEvent(new MessageEvent('message', { data: answer }));
      }
    },
    getState: () => globalThis.kept,
    setState: state => {
      globalThis.kept = structuredClone(state);
    },
  });
}

/**
 * Stops the clocks of the page. Its timers wait until `passTime` advances them.
 * @param {{ least: number }} options `least` is the length of the shortest held timer, in milliseconds
 */
export function holdClock({ least }) {
  const { setTimeout: set, clearTimeout: clear, performance } = globalThis;
  const [now, today] = [performance.now(), Date.now()];
  const held = new Map();
  let passed = 0;
  // Starts above the ids of the page's own timers.
  let last = 1e9;
  const hold = (call, wait, every) => {
    held.set(++last, { call, every, due: passed + wait });
    return last;
  };
  performance.now = () => now + passed;
  Date.now = () => today + passed;
  globalThis.setTimeout = (call, wait = 0, ...args) => (wait < least ? set(call, wait, ...args) : hold(() => call(...args), wait));
  globalThis.setInterval = (call, wait, ...args) => hold(() => call(...args), wait, wait);
  globalThis.clearTimeout = globalThis.clearInterval = id => {
    if (!held.delete(id)) {
      clear(id);
    }
  };
  globalThis.passTime = milliseconds => {
    const until = passed + milliseconds;
    for (;;) {
      const [next] = [...held].filter(([, { due }]) => due <= until).sort(([, a], [, b]) => a.due - b.due);
      if (next === undefined) {
        break;
      }
      const [id, timer] = next;
      passed = timer.due;
      if (timer.every === undefined) {
        held.delete(id);
      } else {
        timer.due += timer.every;
      }
      timer.call();
    }
    passed = until;
  };
}

/** @param {number} milliseconds */
export function passTime(milliseconds) {
  globalThis.passTime(milliseconds);
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

export function takeSavedState() {
  return globalThis.kept;
}

/** Resolves once everything posted before is rendered. */
export function rendered() {
  return new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))));
}

/** Starts to watch whether the list comes to rest after scrolling. */
export function watchScroll() {
  globalThis.scrollEnded = new Promise(resolve => {
    document.querySelector('[role="feed"]').addEventListener('scrollend', resolve, { once: true });
  });
}

/** Resolves once the list, scrolled since `watchScroll`, has come to rest. */
export async function scrollSettled() {
  await globalThis.scrollEnded;
}

export function nameOfFocused() {
  const focused = document.activeElement;
  return focused?.getAttribute('aria-label') ?? focused?.textContent?.trim() ?? '';
}

export function placesOf() {
  return [...document.querySelectorAll('[role="feed"] article')].map(row => Number(row.getAttribute('aria-posinset')));
}

/** Returns the controls without an accessible name, as HTML. */
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

/** Expands the collapsed parts of the rendered rows. Returns their number. */
export function unfoldAll() {
  const folded = [...document.querySelectorAll('.foldable[aria-expanded="false"]')];
  for (const head of folded) {
    head.click();
  }
  return folded.length;
}

/** Starts to record the texts of live regions. */
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

export function takeSpoken() {
  return globalThis.spoken.filter(words => words !== '');
}

/**
 * Returns the values of the theme variables that a workbench sets for webviews, by name.
 * @returns {Record<string, string>}
 */
export function variablesOfTheme() {
  const workbench = document.querySelector('.monaco-workbench');
  return Object.fromEntries([...workbench.computedStyleMap()].map(([name, value]) => [name, String(value[0]).trim()]));
}

/**
 * Makes the host send 30 rows per frame, starting with number `from`, until `storm` is set to false.
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

/** Gives the page the colours of another theme. Resolves once they are loaded. */
export function wearTheme({ theme, bodyClass }) {
  const link = document.getElementById('theme');
  // A link whose address doesn't change loads nothing.
  if (link.getAttribute('href') === `/${theme}.css`) {
    return undefined;
  }
  const loaded = new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = reject;
  });
  link.href = `/${theme}.css`;
  document.body.className = bodyClass;
  document.body.dataset.vscodeThemeKind = bodyClass;
  return loaded;
}
