import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom, type Random } from '../../../../src/jsonl/arranging/random';
import { drawSample } from '../../../../src/jsonl/estimating/drawSample';
import {
  estimateByRatio,
  type PastOutputs,
  predictByRatio,
  predictOutput,
  type SizedTokens,
} from '../../../../src/jsonl/estimating/tokenStatistics';
import { surveyFile } from '../../../../src/jsonl/survey/surveyFile';
import { BytePairs } from './bytePairs';

const quiet = { throwIfAborted: () => {}, progress: () => {}, signal: undefined };
const docs = readdirSync('docs').filter(name => name.endsWith('.md'));
const read = (name: string) => readFileSync(name, 'utf8');
const texts = {
  english: docs.map(name => read(`docs/${name}`)).join('\n'),
  code: ['src/jsonl/survey', 'src/features/batches/sheet']
    .flatMap(folder => readdirSync(folder).map(name => path.join(folder, name)))
    .filter(name => name.endsWith('.ts'))
    .map(read)
    .join('\n'),
  chinese: Object.values(JSON.parse(read('l10n/bundle.l10n.zh-cn.json')) as Record<string, string>).join('\n'),
  data: read('package.json'),
};
type Kind = keyof typeof texts;

/** Returns a random length or count from a heavy-tailed distribution, such as the lengths of prompts and answers. */
function heavyTailed(random: Random, median: number, spread: number): number {
  const uniform = () => (random(2 ** 32) + 0.5) / 2 ** 32;
  const normal = Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return median * Math.exp(spread * normal);
}

describe('jsonl/estimating: estimates against a tokenizer and heavy-tailed answers @ci', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'measured-'));
  after(() => rmSync(folder, { recursive: true }));
  let tokenizer: BytePairs;
  before(() => {
    // The words of the measured texts differ from those of the tokenizer's training texts.
    const trained = [read('CHANGELOG.md'), read('README.md'), texts.chinese.slice(0, 20_000), read('src/extension.ts'), read('biome.json')];
    tokenizer = new BytePairs(trained, 400);
  });

  /** Returns the tokens that a service would bill for a request. */
  const tokensOf = ({ system, messages }: { readonly system?: string; readonly messages: readonly { readonly content: string }[] }) =>
    4 + tokenizer.count(system ?? '') + messages.reduce((sum, { content }) => sum + 4 + tokenizer.count(content), 0);

  /** Writes a file of requests from pieces of texts. Returns the size of the file's texts and the true number of tokens. */
  async function writeFile(kinds: readonly Kind[], seed: string, requests: number) {
    const random = createRandom(seed);
    const file = path.join(folder, `${seed}.jsonl`);
    let truth = 0;
    const lines = Array.from({ length: requests }, (_, at) => {
      const text = texts[kinds[at % kinds.length] as Kind];
      const length = Math.max(20, Math.round(heavyTailed(random, 600, 1)));
      const start = random(Math.max(1, text.length - length));
      const params = {
        model: at % 5 === 0 ? 'vendor-haiku-4-5' : 'vendor-sonnet-5',
        max_tokens: 1024,
        system: 'Answer in one sentence.',
        messages: [{ role: 'user', content: text.slice(start, start + length).toWellFormed() }],
      };
      truth += tokensOf(params);
      return JSON.stringify({ custom_id: `r${at}`, params });
    });
    writeFileSync(file, `${lines.join('\n')}\n`);
    const { input } = await surveyFile(file, { minimumCachedTokens: 1024 }, quiet);
    return { file, text: input.likely, tokens: truth };
  }

  let held = 0;
  const files: readonly (readonly [string, readonly Kind[]])[] = [
    ['english', ['english']],
    ['code', ['code']],
    ['chinese', ['chinese']],
    ['data', ['data']],
    ['mixed', ['english', 'english', 'code', 'chinese', 'data']],
  ];

  for (const [name, kinds] of files) {
    it(`estimates the input of ${name} within 3 % after a sample`, async () => {
      const errors: number[] = [];
      for (let round = 0; round < 8; round++) {
        const { file, tokens } = await writeFile(kinds, `${name}-sampled-${round}`, 600);
        const drawn = drawSample({ path: file, count: 64, seed: `${round}` }, quiet);
        const strata = drawn.map(({ samples, ...stratum }) => ({
          ...stratum,
          counted: samples.map(({ text, body }): SizedTokens => ({ text, tokens: tokensOf(JSON.parse(body)) })),
        }));
        assert.ok(strata.reduce((sum, { counted }) => sum + counted.length, 0) <= 72);
        const { low, likely, high } = estimateByRatio(strata) ?? assert.fail();
        errors.push(Math.abs(likely - tokens) / tokens);
        held += low <= tokens && tokens <= high ? 1 : 0;
      }
      assert.ok(median(errors) <= 0.03, `${errors}`);
    });

    it(`predicts the input of ${name} within 10 % from finished runs`, async () => {
      const past: SizedTokens[] = [];
      for (let run = 0; run < 4; run++) {
        past.push(await writeFile(kinds, `${name}-past-${run}`, 300));
      }
      const { text, tokens } = await writeFile(kinds, `${name}-next`, 400);
      const { low, likely, high } = predictByRatio(past, text, { spread: 0.05, runs: 3 }) ?? assert.fail();
      assert.ok(Math.abs(likely - tokens) / tokens <= 0.1, `${likely} for ${tokens}`);
      assert.ok(low <= tokens && tokens <= high);
    });
  }

  it('returns intervals that are right in 9 of 10 counted samples', () => {
    assert.ok(held >= 0.85 * files.length * 8, `${held} of ${files.length * 8} held`);
  });

  const outputs: readonly (readonly [string, number, number, number])[] = [
    ['alike answers', 0.3, 0.02, 2000],
    ['heavy-tailed answers', 1, 0.05, 2000],
    ['very heavy-tailed answers', 1.3, 0.05, 4000],
    ['answers of which many are cut short', 1, 0.05, 300],
  ];
  for (const [name, spread, between, most] of outputs) {
    for (const [past, requests] of [
      [1, 200],
      [4, 60],
      [4, 1000],
    ] as const) {
      it(`predicts the output of ${requests} ${name} after ${past} runs in 9 of 10 held-out runs`, () => {
        const random = createRandom(`${name} ${past} ${requests}`);
        const answer = (level: number) => Math.max(1, Math.round(Math.min(most, heavyTailed(random, level, spread))));
        const rounds = 40;
        let held = 0;
        for (let round = 0; round < rounds; round++) {
          const runs = Array.from({ length: past }, (): PastOutputs => {
            const level = heavyTailed(random, 150, between);
            const tokens = Array.from({ length: 200 }, () => answer(level));
            const values = Float64Array.from(tokens, value => (value === most ? -value : value));
            return { answers: tokens.length, mean: tokens.reduce((sum, value) => sum + value, 0) / tokens.length, values };
          });
          const level = heavyTailed(random, 150, between);
          const actual = Array.from({ length: requests }, () => answer(level)).reduce((sum, value) => sum + value, 0);
          const prior = { spread: 0.06, runs: 3 };
          const { low, likely, high } = predictOutput(runs, { requests, most: most * requests }, prior) ?? assert.fail();
          assert.ok(low <= likely && likely <= high && high <= most * requests);
          held += low <= actual && actual <= high ? 1 : 0;
        }
        assert.ok(held >= 0.9 * rounds, `${held} of ${rounds} held`);
      });
    }
  }
});

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
