import { writeWholeFiles } from '../files/blockWriter';
import { SourceChangedError } from '../files/fileState';
import type { PassContext } from '../files/lineFile';
import { type JsonNode, parseJsonLine } from '../scanning/jsonText';
import type { CacheTtl, PrimerReport, PrimerSource } from './fileSurvey';
import { markerKind, type PromptBlock, promptSections } from './promptBlock';
import { forEachPrompt } from './promptLines';
import { editsOf } from './promptMarks';
import type { PromptReader } from './promptReader';

/** User message for prefixes that don't end with one. A request needs one. */
const question = '{"role":"user","content":"."}';
/** Settings that can affect the cache of a prefix. Excludes `thinking`, because its budget is incompatible with `max_tokens` 0. */
const settings = ['mcp_servers', 'inference_geo', 'speed'] as const;

/**
 * Writes a file with one request per prefix. Each request is the prefix, copied from the first request that has it, with a marker and the
 * id `primer-<prefix>`. Its `max_tokens` is 0 (contract: fills the prompt cache without generating a response). Send the file as a batch
 * before the actual one, because batches have their own cache. Throws a `SourceChangedError` if a prefix is no longer in any request, and
 * `FileWriteError`.
 */
export async function writePrimer(source: PrimerSource, context: PassContext): Promise<PrimerReport> {
  const lines = findPrimers(source, context);
  const text = lines.map(line => `${line}\n`).join('');
  await writeWholeFiles(context, async files => (await files.create(source.outPath)).addText(text));
  return { requests: lines.length };
}

class AllFound extends Error {}

function findPrimers({ path, prefixes, ttl }: PrimerSource, context: PassContext): string[] {
  const found = new Map<string, string>();
  const wanted = new Set(prefixes.map(({ id }) => id));
  try {
    forEachPrompt(
      path,
      {
        request: (reader, _line, start, end) => {
          for (const block of reader.blocks) {
            if (block.cacheable && wanted.has(block.prefixId) && !found.has(block.prefixId)) {
              found.set(block.prefixId, toPrimer(reader, block, start, end, ttl));
            }
          }
          if (found.size === wanted.size) {
            throw new AllFound();
          }
        },
      },
      context,
    );
  } catch (error) {
    if (!(error instanceof AllFound)) {
      throw error;
    }
  }
  if (found.size < wanted.size) {
    throw new SourceChangedError(`${path} has changed since it was surveyed: a prefix is in none of its requests any more.`);
  }
  return prefixes.map(({ id }) => found.get(id) ?? '');
}

function toPrimer(reader: PromptReader, block: PromptBlock, start: number, end: number, ttl: CacheTtl): string {
  const before = reader.blocks.slice(0, reader.blocks.indexOf(block));
  // Services reject a marker of one hour after one of five minutes.
  const allowed = before.some(({ marker }) => marker === markerKind.fiveMinutes) ? '5m' : ttl;
  const edits = block.marker === markerKind.none ? editsOf(reader.bytes, block, allowed) : [];
  const source = Buffer.from(reader.bytes.buffer, reader.bytes.byteOffset, reader.bytes.length);
  let text = '';
  let done = start;
  for (const edit of edits) {
    text += source.toString('utf8', done, edit.start) + edit.text;
    done = edit.end;
  }
  text += source.toString('utf8', done, end);
  const { root } = parseJsonLine(text);
  const params = reader.isWhole ? root?.children?.get('params') : root;
  const fields: string[] = [];
  const keep = (name: string, value: string | undefined) => {
    if (value !== undefined) {
      fields.push(`${JSON.stringify(name)}:${value}`);
    }
  };
  const raw = (node: JsonNode | undefined) => (node === undefined ? undefined : text.slice(node.start, node.end));
  const field = (name: string) => params?.children?.get(name);
  keep('model', raw(field('model')));
  fields.push('"max_tokens":0');
  for (const name of settings) {
    keep(name, raw(field(name)));
  }
  for (let section = 0; section < block.section; section++) {
    keep(promptSections[section] as string, raw(field(promptSections[section] as string)));
  }
  const last = field(promptSections[block.section] as string);
  if (block.section < 2) {
    keep(promptSections[block.section] as string, firstItems(text, last, Math.max(0, block.first)));
    fields.push(`"messages":[${question}]`);
  } else {
    fields.push(`"messages":${messagesUpTo(text, last, block)}`);
  }
  return `{"custom_id":"primer-${block.prefixId}","params":{${fields.join(',')}}}`;
}

function firstItems(text: string, node: JsonNode | undefined, last: number): string {
  const item = node?.children?.get(last);
  return node === undefined || item === undefined ? '[]' : `${text.slice(node.start, item.end)}]`;
}

function messagesUpTo(text: string, messages: JsonNode | undefined, block: PromptBlock): string {
  const message = messages?.children?.get(block.first);
  const content = message?.children?.get('content');
  const role = message?.children?.get('role');
  if (messages === undefined || message === undefined || content === undefined) {
    return `[${question}]`;
  }
  // A string became an array of one block when it was marked.
  const cut = firstItems(text, content, Math.max(0, block.second));
  const isQuestion = role !== undefined && text.slice(role.start, role.end) === '"user"';
  const next = isQuestion ? '' : `,${answersTo(text, content, block.second) ?? question}`;
  const before = text.slice(messages.start, content.start);
  const after = text.slice(content.end, message.end);
  return `${before}${cut}${after}${next}]`;
}

/** Returns a message with results for the tool calls at the end of a prefix, or `undefined` if there are none. */
function answersTo(text: string, content: JsonNode, last: number): string | undefined {
  const results: string[] = [];
  for (let index = 0; index <= last; index++) {
    const fields = content.children?.get(index)?.children;
    const type = fields?.get('type');
    const id = fields?.get('id');
    if (type !== undefined && id !== undefined && text.slice(type.start, type.end) === '"tool_use"') {
      results.push(`{"type":"tool_result","tool_use_id":${text.slice(id.start, id.end)}}`);
    }
  }
  return results.length === 0 ? undefined : `{"role":"user","content":[${results.join(',')}]}`;
}
