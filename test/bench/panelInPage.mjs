// These functions are sent to the page and run there. They aren't type-checked: the names are a browser's.

/** Replaces VS Code and its extension host: a thread creates the rows, and they arrive in batches as from the host. */
export function feed() {
  function thread() {
    const start = performance.timeOrigin;
    const rowOf = seq => {
      const base = { key: `sevt_${seq}`, seq, at: start + performance.now() };
      switch (seq % 4) {
        case 0:
          return {
            ...base,
            ...{ kind: 'agent', type: 'agent.message', summary: `Message ${seq}` },
            parts: [{ type: 'text', text: `Message ${seq}: looked at **part ${seq}** of the notes, and at \`file-${seq}.md\`.` }],
          };
        case 1:
          return {
            ...base,
            ...{ kind: 'tool', type: 'agent.tool_use', summary: `bash: grep ${seq}`, tool: 'builtin', name: 'bash', state: 'done' },
            input: { type: 'json', text: `{\n  "command": "grep -n ${seq} notes.md"\n}` },
            result: { parts: [{ type: 'text', text: `${seq}: found\n` }], isError: false, seq, at: base.at },
            durationMs: 120,
          };
        case 2:
          return {
            ...base,
            kind: 'model',
            type: 'span.model_request_start',
            summary: `Model request ${seq}`,
            end: { seq, at: base.at },
            isError: false,
          };
        default:
          return { ...base, kind: 'status', type: 'session.status_running', summary: 'Running', status: 'running' };
      }
    };
    addEventListener('message', ({ data: { first, rows, perSecond } }) => {
      let sent = first;
      const end = first + rows;
      const begin = performance.now();
      const batch = [];
      const send = () => {
        if (batch.length > 0) {
          postMessage({ type: 'amend', thread: '', splices: [{ at: sent - batch.length, remove: 0, rows: batch.splice(0) }] });
        }
      };
      const make = upTo => {
        for (; sent < upTo; sent++) {
          batch.push(rowOf(sent));
        }
      };
      if (perSecond === 0) {
        while (sent < end) {
          make(Math.min(end, sent + 1000));
          send();
        }
        return;
      }
      // Creates each event at its time. Sends the events at the host's intervals: every 16 ms, or every 50 ms in a storm.
      let sentAt = 0;
      const writing = setInterval(() => {
        make(Math.min(end, first + Math.floor(((performance.now() - begin) / 1000) * perSecond)));
        if (performance.now() - sentAt >= (batch.length >= 20 || perSecond >= 1000 ? 50 : 16)) {
          sentAt = performance.now();
          send();
        }
        if (sent >= end) {
          send();
          clearInterval(writing);
        }
      }, 1);
    });
  }
  // Starts a new thread for each stream, so that the garbage of the thread isn't measured. The rows of a real panel come from another
  // process.
  globalThis.startFeeder = options => {
    const worker = new Worker(URL.createObjectURL(new Blob([`(${thread})()`], { type: 'text/javascript' })));
    worker.onmessage = ({ data }) => window.dispatchEvent(new MessageEvent('message', { data }));
    worker.postMessage(options);
    return worker;
  };
  globalThis.acquireVsCodeApi = () => ({
    postMessage: message => {
      if (message.type === 'ready') {
        const unknown = { input: undefined, output: undefined, cacheRead: undefined, cacheWrite: undefined };
        const view = {
          ...{
            id: 's',
            title: 'Bench',
            state: 'running',
            status: 'running',
            createdAt: 0,
            updatedAt: 0,
            activeSeconds: 0,
            durationSeconds: 0,
          },
          ...{ tokens: unknown, threads: [], asks: [], outcomes: [], resources: [], canSend: true },
        };
        const snapshot = {
          ...{ type: 'snapshot', thread: '', view, connection: { name: 'live' }, expectedRows: 0 },
          ...{ source: 'Bench', isReplay: false, canWrite: true },
        };
        window.dispatchEvent(new MessageEvent('message', { data: snapshot }));
      }
    },
    // Shows a row for each event, because the bench measures rendering.
    getState: () => ({ memory: { show: 'everything' } }),
    setState: () => {},
  });
}

/** The baseline: appends an element per event to the page, and scrolls to the end in each frame. */
export function appendRows() {
  const list = document.querySelector('.timeline');
  list.style.cssText = 'position: fixed; inset: 0; overflow: auto';
  window.addEventListener('message', ({ data }) => {
    for (const row of data.splices?.flatMap(({ rows }) => rows) ?? []) {
      const article = document.createElement('article');
      article.className = 'plain';
      article.setAttribute('aria-posinset', String(row.seq + 1));
      for (const text of [row.kind, row.summary, row.parts?.[0].text ?? row.input?.text ?? '', new Date(row.at).toLocaleTimeString()]) {
        const element = document.createElement('span');
        element.textContent = `${text} `;
        article.append(element);
      }
      list.append(article);
    }
    requestAnimationFrame(() => {
      list.scrollTop = list.scrollHeight;
    });
  });
}

/** Observes long tasks, frames, and the time at which the last row of a batch is rendered. */
export function measure() {
  const state = {
    tasks: [],
    frames: 0,
    latencies: [],
    written: [],
    seen: 0,
    first: 0,
    end: 0,
    begin: 0,
    done: 0,
    lastArrival: 0,
    behind: 0,
  };
  globalThis.measures = state;
  new PerformanceObserver(entries => state.tasks.push(...entries.getEntries().map(({ duration }) => duration))).observe({
    entryTypes: ['longtask'],
  });
  window.addEventListener('message', ({ data }) => {
    for (const { rows } of data.splices ?? []) {
      for (const { seq, at } of rows) {
        state.written[seq] = at;
      }
    }
  });
  const look = () => {
    state.frames++;
    // Rows that are in the page when a frame begins were painted in the previous frame.
    const rows = document.querySelector('[role="feed"]')?.getElementsByTagName('article') ?? [];
    const last = Number(rows[rows.length - 1]?.getAttribute('aria-posinset') ?? 0);
    const now = performance.timeOrigin + performance.now();
    for (; state.seen < last; state.seen++) {
      state.latencies.push(now - state.written[state.seen]);
    }
    state.behind = Math.max(state.behind, state.written.length - last);
    if (state.end > 0 && state.seen >= state.end && state.done === 0) {
      state.done = performance.now();
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** @param {{ rows: number, perSecond: number }} options */
export function startFeeding(options) {
  const state = globalThis.measures;
  Object.assign(state, {
    tasks: [],
    frames: 0,
    latencies: [],
    behind: 0,
    done: 0,
    end: state.seen + options.rows,
    begin: performance.now(),
  });
  globalThis.feeder = globalThis.startFeeder({ ...options, first: state.seen });
}

/** Takes the measurements since the last call and stops the writer. Returns null while rows are still arriving. */
export function takeMeasures() {
  const { tasks, frames, latencies, behind, begin, done } = globalThis.measures;
  if (done === 0) {
    return null;
  }
  globalThis.feeder.terminate();
  const sorted = [...latencies].sort((a, b) => a - b);
  return {
    allMs: done - begin,
    longestTaskMs: Math.max(0, ...tasks),
    droppedFrames: Math.max(0, 1 - frames / (((done - begin) / 1000) * 60)),
    behindRows: behind,
    medianMs: sorted[sorted.length >> 1] ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  };
}
