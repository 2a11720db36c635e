import { writeWholeFiles } from '../files/blockWriter';
import { demandState, fileStateAt } from '../files/fileState';
import type { PassContext } from '../files/lineFile';
import { RangeCopy } from '../files/rangeCopy';
import { memberOf, replacement } from '../fixes/jsonParts';
import { applyEdits, type TextEdit } from '../fixes/textEdit';
import type { CacheTtl, MarkReport, MarkSource } from './fileSurvey';
import { markerKind, type PromptBlock, promptPath } from './promptBlock';
import { forEachPrompt, type PromptVisitor } from './promptLines';
import type { PromptReader } from './promptReader';

/** Maximum number of markers that services accept in a request. */
const maxMarkers = 4;

/**
 * Returns the edits that mark a prompt at the end of each of `prefixes`, given by their ids. Adds `cache_control` with `ttl` after the last
 * field of the block, or replaces a null. Turns a plain string into an array of one text block. Updates `report`.
 */
function marksOf(reader: PromptReader, prefixes: ReadonlySet<string>, ttl: CacheTtl, report: Counts): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  let markers = 0;
  // Longest prefixes first, because they save the most if not all markers fit.
  for (const [index, block] of [...reader.blocks.entries()].reverse()) {
    if (!block.cacheable || !prefixes.has(block.prefixId)) {
      continue;
    }
    if (block.marker !== markerKind.none || (reader.topMarker !== markerKind.none && index === reader.lastCacheable)) {
      report.already++;
    } else if (reader.markers + markers >= maxMarkers) {
      report.full++;
    } else {
      const allowed = allowedTtl(reader, index, ttl);
      markers++;
      report.otherTtl += allowed === ttl ? 0 : 1;
      edits.push(...editsOf(reader, block, allowed));
    }
  }
  report.markers += markers;
  report.requests += markers > 0 ? 1 : 0;
  return edits;
}

type Counts = { -readonly [Key in keyof MarkReport]: MarkReport[Key] };

/**
 * Returns `wanted`, or the other lifetime if services would refuse `wanted`. A marker of one hour must not follow a marker of five minutes.
 */
function allowedTtl(reader: PromptReader, index: number, wanted: CacheTtl): CacheTtl {
  const markers = reader.blocks.map(({ marker }) => marker);
  const isBehindShort = markers.slice(0, index).includes(markerKind.fiveMinutes);
  const isBeforeLong = reader.topMarker === markerKind.oneHour || markers.slice(index + 1).includes(markerKind.oneHour);
  return isBehindShort ? '5m' : isBeforeLong ? '1h' : wanted;
}

/** Returns the edits that mark an unmarked block. */
export function editsOf({ json, isWhole }: PromptReader, block: PromptBlock, ttl: CacheTtl): readonly TextEdit[] {
  const marker = ttl === '1h' ? '{"type":"ephemeral","ttl":"1h"}' : '{"type":"ephemeral"}';
  const field = `"cache_control":${marker}`;
  const part = json.partAt(promptPath(block, isWhole))?.part;
  if (part === undefined) {
    return [];
  }
  const { start, end } = part;
  if (block.isString) {
    return [
      { start, end: start, text: '[{"type":"text","text":' },
      { start: end, end, text: `,${field}}]` },
    ];
  }
  const object = json.containerAt(start);
  const empty = memberOf(object, 'cache_control');
  const at = object?.parts.at(-1)?.end;
  return empty !== undefined
    ? [replacement(empty, marker)]
    : [{ start: at ?? start + 1, end: at ?? start + 1, text: at === undefined ? field : `,${field}` }];
}

/**
 * Writes a copy of a request file with a cache marker at the last block of each shared prefix. All other bytes are copied unchanged,
 * including invalid lines and blocks that have a marker. The file is written completely or not at all. Blocks the thread, so only for
 * workers. Throws a `SourceChangedError` if the source is modified meanwhile, and `FileWriteError`.
 */
export async function markPrefixes(source: MarkSource, context: PassContext): Promise<MarkReport> {
  const prefixes = new Set(source.prefixes.map(({ id }) => id));
  const report: Counts = { requests: 0, markers: 0, already: 0, full: 0, otherTtl: 0 };
  const state = fileStateAt(source.path);
  const totalBytes = Number(state.size);
  await writeWholeFiles(context, async files => {
    const copy = new RangeCopy(source.path, await files.create(source.outPath));
    const request: PromptVisitor['request'] = (reader, _line, offset, length) => {
      const edits = marksOf(reader, prefixes, source.ttl, report);
      if (edits.length > 0) {
        copy.replace(offset, offset + length, applyEdits(reader.json.text, edits));
      }
    };
    try {
      forEachPrompt(source.path, { request }, context);
      copy.replace(totalBytes, totalBytes, '');
      demandState(source.path, state);
    } finally {
      copy.close();
    }
  });
  return report;
}
