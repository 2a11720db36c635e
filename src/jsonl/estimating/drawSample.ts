import { chosen, createRandom } from '../arranging/random';
import type { PassContext } from '../files/lineFile';
import { SpanReader } from '../files/spanReader';
import { forEachPrompt } from '../survey/promptLines';
import { toTokenRange } from '../survey/tokenTable';

interface CountSampleSource {
  readonly path: string;
  /** Lines to sample, 0-based and ascending. Default: all lines. */
  readonly lines?: Uint32Array | undefined;
  /** Approximate number of requests to count. Each stratum gets at least two requests, or its only request. */
  readonly count: number;
  readonly seed: string;
}

/** Requests of one model and of similar size, and the requests to count among them. */
export interface SampledStratum {
  /** `undefined` in the stratum that all models without their own stratum share. */
  readonly model: string | undefined;
  readonly requests: number;
  readonly text: number;
  readonly samples: readonly { readonly text: number; readonly body: string }[];
}

/** Fields of message params that a count request accepts. The service rejects other fields, such as `max_tokens`. */
const countedFields: ReadonlySet<string> = new Set([
  ...['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config', 'cache_control'],
  ...['mcp_servers', 'context_management'],
]);

/** Maximum number of models with their own strata. */
const maxModels = 16;
const sizeClasses = 4;
/** Assumed number of tokens of an image or document, because its size can't be estimated from text. */
const opaqueSize = 1500;
const maxBytes = 32 * 1024 * 1024;

interface Request {
  readonly model: string;
  readonly text: number;
  readonly offset: number;
  readonly length: number;
}

/**
 * Chooses requests to count, stratified by model and size, and returns the bodies of the count requests. Larger requests are chosen more
 * often, because they contribute most of the total. The same seed chooses the same requests. Blocks the thread, so only for workers.
 */
export function drawSample({ path, lines, count, seed }: CountSampleSource, context: PassContext): readonly SampledStratum[] {
  const requests = readRequests(path, context, lines);
  const bytes = requests.reduce((sum, { length }) => sum + length, 0);
  const total = textOf(requests);
  const most = Math.min(count, Math.floor((maxBytes * requests.length) / Math.max(1, bytes)));
  const random = createRandom(seed);
  const reader = new SpanReader(path);
  try {
    return toStrata(requests).map(({ model, requests: all }) => {
      const text = textOf(all);
      const wanted = requests.length <= most ? all.length : Math.max(2, Math.round((most * text) / Math.max(1, total)));
      context.throwIfAborted();
      const selected = chosen(Uint32Array.from(all.keys()), wanted, random);
      const samples = [...selected].flatMap(at => all[at] ?? []).map(one => ({ text: one.text, body: bodyOf(reader, one) }));
      return { model, requests: all.length, text, samples };
    });
  } finally {
    reader.close();
  }
}

function readRequests(path: string, context: PassContext, lines: Uint32Array | undefined): readonly Request[] {
  const requests: Request[] = [];
  const request: Parameters<typeof forEachPrompt>[1]['request'] = ({ model, tokens, opaque }, _line, offset, length) => {
    requests.push({ model, text: Math.max(1, toTokenRange(tokens).likely + opaqueSize * opaque), offset, length });
  };
  forEachPrompt(path, { request }, context, lines);
  return requests;
}

interface Stratum {
  readonly model: string | undefined;
  readonly requests: readonly Request[];
}

/** Divides the requests of each model into size classes with about the same amount of text. The smallest models share one stratum. */
function toStrata(requests: readonly Request[]): readonly Stratum[] {
  const models = [...grouped(requests, ({ model }) => model)].map(([model, own]) => ({ model, own, total: textOf(own) }));
  models.sort((a, b) => b.total - a.total);
  const strata: Stratum[] = models.slice(0, maxModels).flatMap(({ model, own, total }) => {
    let before = 0;
    const classes = grouped(
      [...own].sort((a, b) => a.text - b.text),
      ({ text }) => {
        const sizeClass = Math.min(sizeClasses - 1, Math.floor((sizeClasses * before) / total));
        before += text;
        return sizeClass;
      },
    );
    return [...classes.values()].map(alike => ({ model, requests: alike }));
  });
  const rest = models.slice(maxModels).flatMap(({ own }) => own);
  return rest.length === 0 ? strata : [...strata, { model: undefined, requests: rest }];
}

function bodyOf(reader: SpanReader, { offset, length }: Request): string {
  const { bytes, start, end } = reader.read(offset, length);
  const line: { readonly params?: object } = JSON.parse(bytes.toString('utf8', start, end).replace(/^\ufeff/, ''));
  const params = Object.entries(line.params ?? line);
  return JSON.stringify(Object.fromEntries(params.filter(([name]) => countedFields.has(name))));
}

function textOf(requests: readonly Request[]): number {
  return requests.reduce((sum, { text }) => sum + text, 0);
}

function grouped<K>(requests: readonly Request[], keyOf: (request: Request) => K): ReadonlyMap<K, readonly Request[]> {
  const groups = new Map<K, Request[]>();
  for (const request of requests) {
    const key = keyOf(request);
    const group = groups.get(key) ?? [];
    group.push(request);
    groups.set(key, group);
  }
  return groups;
}
