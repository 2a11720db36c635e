// The row `events`: from the bytes of an event stream to typed events, with the client's readers. Its baselines are plain
// `eventsource-parser` with `JSON.parse` and the vendor SDK's stream. `watchMs` also includes the watch of a session.
import { inBenchFolder, median, runChild } from './children.mjs';
import { judge, ratios } from './judging.mjs';

export const eventsPromises = { ofParser: 0.8, ofSdk: 1 };

const shapes = [
  { kind: 'session', eventBytes: 150, name: '150 B', chunkBytes: 16 * 1024, share: 1 },
  { kind: 'session', eventBytes: 4096, name: '4 KB', chunkBytes: 16 * 1024, share: 1 / 20 },
  { kind: 'session', eventBytes: 4 << 20, name: '4 MB', chunkBytes: 1024, share: 1 / 20_000 },
  { kind: 'message', eventBytes: 150, name: '150 B', chunkBytes: 16 * 1024, share: 1 },
];

export async function runEvents({ sizes, rounds = 5, onRow = () => {} }) {
  await inBenchFolder({ eventsChild: 'test/bench/eventsChild.ts' }, async ({ out }) => {
    for (const { kind, eventBytes, name, chunkBytes, share } of shapes) {
      const counts = new Set(sizes.map(size => Math.max(2, Math.round(size * share))));
      for (const count of counts) {
        const runs = { ours: [], parser: [], sdk: [], ...(kind === 'session' ? { watch: [] } : {}) };
        for (let round = 0; round < rounds; round++) {
          for (const subject of Object.keys(runs)) {
            runs[subject].push(await runChild(out, 'eventsChild', subject, kind, ...[eventBytes, count, chunkBytes].map(String)));
          }
        }
        const ours = median(runs.ours, 'ms');
        const oursCpu = median(runs.ours, 'cpuMs');
        const values = {
          row: `${kind} events ${name} x ${count} in chunks of ${chunkBytes / 1024} KiB`,
          oursMs: ours,
          parserMs: median(runs.parser, 'ms'),
          sdkMs: median(runs.sdk, 'ms'),
          ofParser: median(runs.parser, 'ms') / ours,
          ofSdk: median(runs.sdk, 'ms') / ours,
          cpuOfParser: median(runs.parser, 'cpuMs') / oursCpu,
          cpuOfSdk: median(runs.sdk, 'cpuMs') / oursCpu,
          ...(runs.watch === undefined ? {} : { watchMs: median(runs.watch, 'ms') }),
          'MB/s': (runs.ours[0].megabytes / ours) * 1000,
        };
        const promises = [
          judge({ promise: 'of the parser', values: ratios(runs.parser, runs.ours), atLeast: eventsPromises.ofParser }),
          judge({ promise: 'of the SDK', values: ratios(runs.sdk, runs.ours), atLeast: eventsPromises.ofSdk }),
        ];
        onRow(values, { runs, promises });
      }
    }
  });
}
