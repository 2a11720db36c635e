// The row `events`: bytes of an event stream to typed events through the client's reader, beside bare `eventsource-parser` with
// `JSON.parse` and beside the vendor SDK's stream.
import { inBenchFolder, median, runChild } from './children.mjs';

export const eventsPromises = { ofParser: 0.8, ofSdk: 1 };

const shapes = [
  { eventBytes: 150, name: '150 B', chunkBytes: 16 * 1024, share: 1 },
  { eventBytes: 4096, name: '4 KB', chunkBytes: 16 * 1024, share: 1 / 20 },
  { eventBytes: 4 << 20, name: '4 MB', chunkBytes: 1024, share: 1 / 20_000 },
];

export async function runEvents({ sizes, rounds = 5, onRow = () => {} }) {
  await inBenchFolder({ eventsChild: 'test/bench/eventsChild.ts' }, async ({ out }) => {
    for (const { eventBytes, name, chunkBytes, share } of shapes) {
      const counts = new Set(sizes.map(size => Math.max(2, Math.round(size * share))));
      for (const count of counts) {
        const runs = { ours: [], parser: [], sdk: [] };
        for (let round = 0; round < rounds; round++) {
          for (const subject of Object.keys(runs)) {
            runs[subject].push(await runChild(out, 'eventsChild', subject, ...[eventBytes, count, chunkBytes].map(String)));
          }
        }
        const ours = median(runs.ours, 'ms');
        const oursCpu = median(runs.ours, 'cpuMs');
        onRow({
          row: `events ${name} x ${count} in chunks of ${chunkBytes / 1024} KiB`,
          oursMs: ours,
          parserMs: median(runs.parser, 'ms'),
          sdkMs: median(runs.sdk, 'ms'),
          ofParser: median(runs.parser, 'ms') / ours,
          ofSdk: median(runs.sdk, 'ms') / ours,
          cpuOfParser: median(runs.parser, 'cpuMs') / oursCpu,
          cpuOfSdk: median(runs.sdk, 'cpuMs') / oursCpu,
          'MB/s': (runs.ours[0].megabytes / ours) * 1000,
        });
      }
    }
  });
}
