import type { PassContext } from '../files/lineFile';
import type { FileSurvey, ModelSurvey, SharedPrefix, SurveyOptions } from './fileSurvey';
import { choosePrefixes, PrefixTable } from './prefixTable';
import { markerKind, type PromptBlock, promptPath } from './promptBlock';
import { forEachPrompt, type PromptVisitor } from './promptLines';
import type { PromptReader } from './promptReader';
import { SensitiveFindings } from './sensitiveFindings';
import { addTokens, roundTokens, tokenKinds, toTokenRange } from './tokenTable';

const maxPrefixes = 20;
const maxModels = 1000;

/**
 * Surveys a request file in one pass: tokens, shared prefixes of prompts, sensitive texts. Memory doesn't grow with the file. The survey
 * holds a buffer of 1 MiB (32 MiB for longer lines), 262,144 starts of prompts, 1,000 models and 20 occurrences per pattern. See
 * `PrefixTable` for further starts of prompts. Blocks the thread, so only for workers.
 */
export async function surveyFile(path: string, options: SurveyOptions, context: PassContext): Promise<FileSurvey> {
  const survey = new Survey(options);
  forEachPrompt(path, survey, context, options.lines);
  return survey.finish();
}

interface ModelSum {
  readonly model: string;
  requests: number;
  maxOutput: number;
  cached5m: number;
  cached1h: number;
  template?: number;
  readonly tokens: Float64Array;
}

/** Totals and findings of a survey. */
export class Survey implements PromptVisitor {
  readonly findings = new SensitiveFindings();
  private readonly prefixes: PrefixTable;
  private readonly models = new Map<string, ModelSum>();
  private requests = 0;
  private skippedLines = 0;
  private withoutMaxTokens = 0;
  private opaqueBlocks = 0;

  constructor({ minimumCachedTokens }: SurveyOptions) {
    this.prefixes = new PrefixTable(minimumCachedTokens);
  }

  skipped(): void {
    this.skippedLines++;
  }

  request(reader: PromptReader, line: number): void {
    this.requests++;
    this.opaqueBlocks += reader.opaque;
    const sum = this.sumOf(reader.model);
    sum.requests++;
    addTokens(sum.tokens, reader.tokens);
    const { fiveMinutes, oneHour } = maxCached(reader);
    sum.cached5m += fiveMinutes;
    sum.cached1h += oneHour;
    const template = templateOf(reader);
    sum.template = template === (sum.template ?? template) ? template : 0;
    if (Number.isNaN(reader.maxTokens)) {
      this.withoutMaxTokens++;
    } else {
      sum.maxOutput += reader.maxTokens;
    }
    this.prefixes.add(reader, line, sum.model);
  }

  finish(): FileSurvey {
    const all = new Float64Array(tokenKinds);
    for (const { tokens } of this.models.values()) {
      addTokens(all, tokens);
    }
    const models = [...this.models.values()];
    return {
      requests: this.requests,
      skippedLines: this.skippedLines,
      input: roundTokens(toTokenRange(all)),
      maxOutput: models.reduce((sum, { maxOutput }) => sum + maxOutput, 0),
      withoutMaxTokens: this.withoutMaxTokens,
      models: models.sort((a, b) => b.requests - a.requests).map(toModelSurvey),
      prefixes: this.sharedPrefixes(),
      prefixesAreExact: this.prefixes.isExact,
      findings: this.findings.list(),
      opaqueBlocks: this.opaqueBlocks,
    };
  }

  private sumOf(model: string): ModelSum {
    const known = this.models.get(model);
    if (known === undefined && model !== '' && this.models.size >= maxModels) {
      return this.sumOf('');
    }
    const sum = known ?? { model, requests: 0, maxOutput: 0, cached5m: 0, cached1h: 0, tokens: new Float64Array(tokenKinds) };
    this.models.set(model, sum);
    return sum;
  }

  private sharedPrefixes(): SharedPrefix[] {
    return choosePrefixes(this.prefixes, maxPrefixes).map(({ node, parent }) => {
      const { id, requests, marked, firstLine, model, isWhole, low, likely, high } = node;
      return {
        id,
        model,
        requests,
        firstLine,
        breakpoint: promptPath(node, isWhole),
        tokens: roundTokens({ low, likely, high }),
        marked,
        parent: parent?.id,
      };
    });
  }
}

function toModelSurvey({ model, requests, tokens, maxOutput, cached5m, cached1h, template = 0 }: ModelSum): ModelSurvey {
  const cached = { cached5m: Math.ceil(cached5m), cached1h: Math.ceil(cached1h) };
  return { model, requests, input: roundTokens(toTokenRange(tokens)), maxOutput, ...cached, template };
}

function templateOf({ blocks }: PromptReader): number {
  let hash = 0;
  for (const { section, hashA, hashB } of blocks) {
    if (section < 2) {
      hash = Math.imul(Math.imul(hash, 31) ^ hashA, 31) ^ hashB ^ section;
    }
  }
  return hash;
}

/** Returns the maximum number of prompt tokens written to a cache for each lifetime, derived from the last marker of each lifetime. */
function maxCached(reader: PromptReader): { readonly fiveMinutes: number; readonly oneHour: number } {
  if (reader.markers === 0) {
    return { fiveMinutes: 0, oneHour: 0 };
  }
  const ends = { [markerKind.fiveMinutes]: 0, [markerKind.oneHour]: 0 };
  let found = 0;
  const mark = (marker: number, block: PromptBlock | undefined) => {
    if (block !== undefined && (marker === markerKind.fiveMinutes || marker === markerKind.oneHour)) {
      ends[marker] = Math.max(ends[marker], block.high);
      found++;
    }
  };
  for (const block of reader.blocks) {
    mark(block.marker, block);
  }
  mark(reader.topMarker, reader.blocks[reader.lastCacheable]);
  if (found < reader.markers) {
    // A marker inside another block ends an unknown prefix, so all tokens may be written for an hour.
    return { fiveMinutes: 0, oneHour: toTokenRange(reader.tokens).high };
  }
  const oneHour = ends[markerKind.oneHour];
  return { fiveMinutes: Math.max(0, ends[markerKind.fiveMinutes] - oneHour), oneHour };
}
