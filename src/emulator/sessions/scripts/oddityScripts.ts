import type { WireObject } from '../../http/toWire';
import { newEventId } from '../eventLog';
import type { Line } from '../line';
import { numberIn, type Scripts } from './script';
import { builtin, useTools } from './toolScripts';

/** Messages of a malicious agent. A viewer must not run or hide any of their content, and must not send anything. */
const hostileMessages: readonly string[] = [
  '<script>document.title = "owned"</script><img src="https://evil.example/track.png" onerror="alert(1)"><b onclick=alert(1)>bold</b>',
  [
    '[javascript](javascript:alert(1))',
    '[command](command:workbench.action.terminal.new)',
    '[vscode](vscode://evil.extension/run?x=1)',
    '[data](data:text/html,<script>alert(1)</script>)',
    '[file](file:///etc/passwd)',
    '[looks good](https://good.example@evil.example/%2e%2e/?q=1)',
    '[https://good.example](https://evil.example)',
    '[punycode](https://xn--80ak6aa92e.com/)',
    '<https://evil.example>',
    '![remote image](https://evil.example/pixel.gif)',
    '[reference][1]',
    '',
    '[1]: javascript:alert(2)',
  ].join('\n'),
  'Control: \u0000\u0007\u0008\u001b[31mred\u001b[0m\u001b]0;title\u0007 \u009b1m. Direction: \u202eevil\u202c \u2066isolated\u2069. Invisible: a\u200bb\u2060c\ufeffd\u00ade. Tag: \u{e0041}\u{e0042}.',
  `One long line: ${'no-space-'.repeat(2000)}`,
  `Deep: ${'> '.repeat(200)}quoted, ${'['.repeat(500)}${'*'.repeat(500)} and ${'`'.repeat(501)}`,
  `Zalgo: Z${'\u0351\u0352\u0353'.repeat(60)}algo. Lone surrogate: \ud800. Line separators:\u2028 and \u2029 and \u0085.`,
  '</textarea></style></script><iframe src="https://evil.example"></iframe><svg/onload=alert(1)>{{constructor.constructor("alert(1)")()}}',
];

/** Red square of 8 by 8 pixels, as a base64 PNG. */
const redSquare = 'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mO4YGCAFTEMLQkA2ntMAZZ5tYQAAAAASUVORK5CYII=';

/** Scripts for rare, large, fast and hostile content that a viewer must cope with. */
export const oddityScripts: Scripts = {
  compact: {
    what: 'the context is compacted in the middle',
    run: async line => {
      await line.reply('The context is nearly full.');
      line.emit('agent.thread_context_compacted');
      await line.reply('I go on with a summary of what came before.');
    },
  },
  unknown: {
    what: 'events of types that are in no contract',
    run: async line => {
      const depth = { of: { nested: ['things', 1, null, true] } };
      line.emit('vendor.future_event', { text: 'Nobody knows what this is.', content: [{ type: 'hologram', frames: 3 }], depth });
      await line.request(async () =>
        line.emitMessage([
          { type: 'text', text: 'With a block that nobody knows:' },
          { type: 'hologram', frames: 3 },
        ]),
      );
    },
  },
  hostile: {
    what: 'HTML, scripts, odd links, control and direction-changing characters, long lines',
    run: async line => {
      await line.request(async () => {
        for (const text of hostileMessages) {
          await line.say(text);
        }
      });
      await useTools(line, hostileMessages[0] ?? '', [
        builtin(
          'bash',
          { command: 'echo \u202egnihton\u202c \u001b[2Krm -rf /\u200b # harmless', ['__proto__']: { polluted: true } },
          '\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007 <img src=x onerror=alert(1)>\u0000\u0008',
          { alwaysAsks: true },
        ),
      ]);
    },
  },
  image: {
    what: 'a tool that answers with an image and a document',
    run: line =>
      useTools(line, 'I take a picture.', [
        builtin('read', { file_path: '/tmp/screenshot.png' }, [
          { type: 'text', text: 'A red square:' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: redSquare } },
          { type: 'document', title: 'Notes', source: { type: 'text', media_type: 'text/plain', data: 'Plain text of a document.' } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/tracker.png' } },
        ]),
      ]),
  },
  huge: {
    takes: 'MEGABYTES',
    what: 'a tool result of one line of 10 MB, or as much as you say',
    run: (line, rest) => {
      const bytes = Math.round(numberIn(rest, 0, 10, 30) * 1_000_000);
      return useTools(line, 'I print everything there is.', [builtin('bash', { command: 'cat everything' }, 'x'.repeat(bytes))]);
    },
  },
  storm: {
    takes: 'RATE SECONDS',
    what: 'so many events a second for so long (500, 5); a rate of 0 makes SECONDS events at once',
    run: (line, rest) => storm(line, numberIn(rest, 0, 500, 100_000), numberIn(rest, 1, 5, 1_000_000)),
  },
};

/** Interval between two pieces of a storm, in milliseconds. */
const tick = 20;

async function storm(line: Line, rate: number, seconds: number): Promise<void> {
  const total = Math.round(rate === 0 ? seconds : rate * Math.min(seconds, 3600));
  let created = 0;
  while (created < total) {
    const count = rate === 0 ? 1000 : Math.ceil((rate * tick) / 1000);
    const next = Math.min(count, total - created);
    line.throwIfStopped();
    line.session.append(line.thread.id, stormEvents(created, next));
    created += next;
    if (rate === 0) {
      await line.breathe();
    } else {
      await line.sleep((next * 1000) / rate);
    }
  }
  await line.reply(`That were ${total} events.`);
}

/** Returns `count` events of a storm, numbered from `from`: messages, thoughts, and tool calls, each followed by its result. */
export function stormEvents(from: number, count: number): readonly WireObject[] {
  const events: WireObject[] = [];
  for (let n = from; events.length < count; n++) {
    const id = newEventId();
    const kind = n % 5;
    if (kind === 1) {
      events.push({ type: 'agent.thinking', id });
    } else if (kind === 3 && events.length + 1 < count) {
      events.push({ type: 'agent.tool_use', id, name: 'read', input: { file_path: `src/file${n}.ts` }, evaluated_permission: 'allow' });
      const content = [{ type: 'text', text: `File ${n} has ${n % 400} lines.` }];
      events.push({ type: 'agent.tool_result', id: newEventId(), tool_use_id: id, content, is_error: n % 50 === 3 });
    } else {
      events.push({ type: 'agent.message', id, content: [{ type: 'text', text: `Event ${n} of the storm.` }] });
    }
  }
  return events;
}
