import { closeSync, openSync, readSync } from 'node:fs';
import { chosen, createRandom } from '../arranging/random';
import type { PassContext } from '../files/lineFile';
import { forEachPrompt } from '../survey/promptLines';
import { toTokenRange } from '../survey/tokenTable';

export interface CountSampleSource {
  readonly path: string;
  /** Lines to sample, 0-based and ascending. Default: all lines. */
  readonly lines?: Uint32Array | undefined;
  /** Number of requests to count. Each stratum gets at least two, if it has so many. */
  readonly count: number;
  readonly seed: string;
}

/** Requests of one model and of similar size, with those to count. */
export interface SampledStratum {
  /** `undefined` for the requests of all models that have no stratum of their own. */
  readonly model: string | undefined;
  readonly requests: number;
  /** Total size by text. */
  readonly text: number;
  readonly samples: readonly { readonly text: number; readonly body: string }[];
}

/** Fields of message params that a count accepts. The service rejects others, such as `max_tokens`. */
const countedFields = [
  ...(['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config', 'cache_control'] as const),
  ...(['mcp_servers', 'context_management'] as const),
] as const;

/** Maximum number of models with strata of their own. */
const mostModels = 16;
/** Number of size classes of a model, if its requests are not all alike. */
const sizeClasses = 4;
/** Size of an image or document, of which the text says nothing. */
const opaqueSize = 1500;
/** Maximum length of all bodies together, in bytes. */
const mostBytes = 32 * 1024 * 1024;

interface Requests {
  readonly model: string;
  readonly texts: number[];
  readonly offsets: number[];
  readonly lengths: number[];
}

/**
 * Chooses requests to count, stratified by model and size, and returns the bodies of the counts. Larger requests are counted more often,
 * because they decide the total. The same seed chooses the same requests. Blocks the thread, so only for workers.
 */
export function drawSample({ path, lines, count, seed }: CountSampleSource, context: PassContext): readonly SampledStratum[] {
  const strata = toStrata(readRequests(path, context, lines));
  const bytes = strata.reduce((sum, stratum) => sum + sumOf(stratum.lengths), 0);
  const requests = strata.reduce((sum, stratum) => sum + stratum.texts.length, 0);
  const affordable = Math.floor((mostBytes * requests) / Math.max(1, bytes));
  const total = strata.reduce((sum, stratum) => sum + sumOf(stratum.texts), 0);
  const random = createRandom(seed);
  const file = openSync(path, 'r');
  try {
    return strata.map(stratum => {
      const { model, texts, offsets, lengths } = stratum;
      const text = sumOf(texts);
      const most = Math.min(count, affordable);
      const wanted = requests <= most ? texts.length : Math.max(2, Math.round((most * text) / Math.max(1, total)));
      const all = Uint32Array.from(texts, (_, at) => at);
      context.throwIfAborted();
      return {
        ...{ model, requests: texts.length, text },
        samples: Array.from(chosen(all, wanted, random), at => ({
          text: texts[at] ?? 0,
          body: bodyAt(file, offsets[at] ?? 0, lengths[at] ?? 0),
        })),
      };
    });
  } finally {
    closeSync(file);
  }
}

function readRequests(path: string, context: PassContext, lines: Uint32Array | undefined): readonly Requests[] {
  const byModel = new Map<string, Requests>();
  const request: Parameters<typeof forEachPrompt>[1]['request'] = (reader, _line, start, end, offset) => {
    const { model } = reader;
    let requests = byModel.get(model);
    if (requests === undefined) {
      requests = { model, texts: [], offsets: [], lengths: [] };
      byModel.set(model, requests);
    }
    requests.texts.push(Math.max(1, toTokenRange(reader.tokens).likely + opaqueSize * reader.opaque));
    requests.offsets.push(offset);
    requests.lengths.push(end - start);
  };
  forEachPrompt(path, { request }, context, lines);
  return [...byModel.values()];
}

/** Divides the requests of each model into size classes with the same amount of text. The models with the least text are not divided. */
function toStrata(models: readonly Requests[]): readonly (Omit<Requests, 'model'> & { readonly model: string | undefined })[] {
  const bySize = [...models].sort((a, b) => sumOf(b.texts) - sumOf(a.texts));
  const rest = bySize.slice(mostModels);
  const strata = bySize.slice(0, mostModels).flatMap(requests => {
    const order = requests.texts.map((_, at) => at).sort((a, b) => (requests.texts[a] ?? 0) - (requests.texts[b] ?? 0));
    const total = sumOf(requests.texts);
    const classes = Array.from({ length: sizeClasses }, () => ({ model: requests.model, ...empty() }));
    let before = 0;
    for (const at of order) {
      const into = classes[Math.min(sizeClasses - 1, Math.floor((sizeClasses * before) / total))];
      before += requests.texts[at] ?? 0;
      into?.texts.push(requests.texts[at] ?? 0);
      into?.offsets.push(requests.offsets[at] ?? 0);
      into?.lengths.push(requests.lengths[at] ?? 0);
    }
    return classes.filter(({ texts }) => texts.length > 0);
  });
  return rest.length === 0
    ? strata
    : [
        ...strata,
        {
          model: undefined,
          texts: rest.flatMap(({ texts }) => texts),
          offsets: rest.flatMap(({ offsets }) => offsets),
          lengths: rest.flatMap(({ lengths }) => lengths),
        },
      ];
}

function empty(): Omit<Requests, 'model'> {
  return { texts: [], offsets: [], lengths: [] };
}

/** Reads a line and returns the params that a count accepts. */
function bodyAt(file: number, offset: number, length: number): string {
  const bytes = Buffer.alloc(length);
  readSync(file, bytes, 0, length, offset);
  const line: { readonly params?: object } = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  const params = Object.entries(line.params ?? line);
  return JSON.stringify(Object.fromEntries(params.filter(([name]) => countedFields.some(field => field === name))));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
