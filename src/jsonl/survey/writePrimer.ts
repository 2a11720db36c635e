import { writeWholeFiles } from '../files/blockWriter';
import { SourceChangedError } from '../files/fileState';
import type { PassContext } from '../files/lineFile';
import { applyEdits } from '../fixes/textEdit';
import { containerAt, membersOf, rootOf } from '../scanning/jsonMembers';
import type { CacheTtl, PrimerReport, PrimerSource } from './fileSurvey';
import { markerKind, type PromptBlock, promptSections } from './promptBlock';
import { forEachPrompt, type PromptVisitor } from './promptLines';
import { editsOf } from './promptMarks';
import type { PromptReader } from './promptReader';

/** User message added to prefixes that don't end with a user message, because every request needs one. */
const question = '{"role":"user","content":"."}';
/** Settings that can affect the cache of a prefix. Excludes `thinking`, because its budget is incompatible with `max_tokens` 0. */
const settings = ['mcp_servers', 'inference_geo', 'speed'] as const;

/**
 * Writes a file with one request per prefix. Each request is the prefix, copied from the first request that has it, with a marker and the
 * id `primer-<prefix>`. Its `max_tokens` is 0 (contract: fills the prompt cache without generating a response). Send the file as a batch
 * before the actual batch, because batches have their own cache. Throws a `SourceChangedError` if a prefix is no longer on its line, and
 * `FileWriteError`.
 */
export async function writePrimer(source: PrimerSource, context: PassContext): Promise<PrimerReport> {
  const lines = findPrimers(source, context);
  const text = lines.map(line => `${line}\n`).join('');
  await writeWholeFiles(context, async files => (await files.create(source.outPath)).addText(text));
  return { requests: lines.length };
}

function findPrimers({ path, prefixes, ttl }: PrimerSource, context: PassContext): string[] {
  const found = new Map<string, string>();
  const wanted = new Set(prefixes.map(({ id }) => id));
  const request: PromptVisitor['request'] = reader => {
    for (const block of reader.blocks) {
      if (block.cacheable && wanted.has(block.prefixId) && !found.has(block.prefixId)) {
        found.set(block.prefixId, toPrimer(reader, block, ttl));
      }
    }
  };
  forEachPrompt(path, { request }, context, Uint32Array.from(prefixes, ({ firstLine }) => firstLine).sort());
  if (found.size < wanted.size) {
    throw new SourceChangedError(`${path} has changed since it was surveyed: a prefix is no longer on its line.`);
  }
  return prefixes.map(({ id }) => found.get(id) ?? '');
}

function toPrimer(reader: PromptReader, block: PromptBlock, ttl: CacheTtl): string {
  const before = reader.blocks.slice(0, reader.blocks.indexOf(block));
  // Services reject a marker of one hour after a marker of five minutes.
  const allowed = before.some(({ marker }) => marker === markerKind.fiveMinutes) ? '5m' : ttl;
  const text = applyEdits(reader.json.text, block.marker === markerKind.none ? editsOf(reader, block, allowed) : []);
  const line = membersOf(text);
  const params = reader.isWhole ? membersOf(line.get('params') ?? '') : line;
  const field = (name: string) => {
    const value = params.get(name);
    return value === undefined ? [] : [`${JSON.stringify(name)}:${value}`];
  };
  const section = promptSections[block.section] as string;
  const last = params.get(section) ?? '[]';
  const fields = [
    ...field('model'),
    '"max_tokens":0',
    ...[...settings, ...promptSections.slice(0, block.section)].flatMap(field),
    ...(section === 'messages'
      ? [`"messages":${messagesUpTo(last, block)}`]
      : [`${JSON.stringify(section)}:${firstItems(last, block.first)}`, `"messages":[${question}]`]),
  ];
  return `{"custom_id":"primer-${block.prefixId}","params":{${fields.join(',')}}}`;
}

/** Returns an array up to its item `last`. An array that was a plain string before it was marked has one block, and `last` is -1. */
function firstItems(array: string, last: number): string {
  const item = rootOf(array)?.parts[Math.max(0, last)];
  return item === undefined ? '[]' : `${array.slice(0, item.end)}]`;
}

function messagesUpTo(messages: string, block: PromptBlock): string {
  const message = rootOf(messages)?.parts[block.first];
  const fields = message && containerAt(messages, message.start)?.parts;
  const content = fields?.findLast(({ key }) => key === 'content');
  if (message === undefined || content === undefined) {
    return `[${question}]`;
  }
  const blocks = messages.slice(content.start, content.end);
  const role = fields?.findLast(({ key }) => key === 'role');
  const isQuestion = role !== undefined && messages.slice(role.start, role.end) === '"user"';
  const next = isQuestion ? '' : `,${answersTo(blocks, block.second) ?? question}`;
  const before = messages.slice(0, content.start);
  const after = messages.slice(content.end, message.end);
  return `${before}${firstItems(blocks, block.second)}${after}${next}]`;
}

/** Returns a message with results for the tool calls in the blocks up to `last`, or `undefined` if there are no tool calls. */
function answersTo(blocks: string, last: number): string | undefined {
  const results = (rootOf(blocks)?.parts ?? []).slice(0, last + 1).flatMap(({ start, end }) => {
    const fields = membersOf(blocks.slice(start, end));
    const id = fields.get('id');
    return fields.get('type') === '"tool_use"' && id !== undefined ? [`{"type":"tool_result","tool_use_id":${id}}`] : [];
  });
  return results.length === 0 ? undefined : `{"role":"user","content":[${results.join(',')}]}`;
}
