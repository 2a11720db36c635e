import type { Translate } from '../../../common/text/translate';
import { prettyAnswer } from '../../../jsonl/answers/answerJson';
import { maskLine } from '../../../jsonl/exporting/maskLine';
import { toPretty } from '../../../jsonl/pretty/prettyLine';
import { answerText, errorText } from '../../../jsonl/results/resultWords';
import { keepDigits, writeJson } from '../../../shared/exactJson';
import { numberFormat } from '../../../shared/formats';
import { isRecord } from '../../../shared/isRecord';
import { maskSecrets, readMaskedResult } from '../../../shared/maskedJson';
import type { PairPart, PairSide } from '../../../shared/results/resultsProtocol';
import { shallow } from '../../../shared/shallow';
import { describeValue, toLabel } from '../../../shared/text';

interface PairContext {
  readonly translate: Translate;
  readonly locale?: string;
}

/** Maximum number of characters to send to the panel for one side. */
const maxText = 200_000;
/** Maximum length of a text to parse. Longer texts can only be opened as documents. */
export const longestParsed = 8 << 20;

type Json = Readonly<Record<string, unknown>>;
type Facts = readonly { readonly name: string; readonly value: string }[];

/** Returns the answer in a joined line with its facts: text, thinking and tool calls, or the error. */
export function toAnswerSide(line: string, context: PairContext): PairSide {
  const { translate: t } = context;
  const result = readMaskedResult(line);
  if (result.type !== 'succeeded') {
    return toErrorSide(result, context);
  }
  const message = toRecord(result.message);
  const parts = toBlocks(message.content).flatMap(block => toParts(block, t));
  const details = isRecord(message.stop_details) ? [code(message.stop_details, t('Stop details'))] : [];
  return {
    facts: [
      ...factOf(t('Stop reason'), message.stop_reason),
      ...factOf(t('Model'), message.model),
      ...toUsage(message.usage, context),
      ...factOf(t('Message'), message.id),
    ],
    ...cut([...parts, ...details]),
    ...(parts.length === 0 && { notice: t('The answer is empty.') }),
  };
}

function toErrorSide(result: Json, { translate: t }: PairContext): PairSide {
  const outer = toRecord(result.error);
  const inner = isRecord(outer.error) ? outer.error : outer;
  const message = inner.message;
  const facts = [
    ...factOf(t('Result'), result.type),
    ...factOf(t('Error'), inner.type),
    ...factOf(t('Request ID'), outer.request_id ?? result.request_id),
  ];
  const parts: PairPart[] = [
    ...(typeof message === 'string' ? [{ form: 'plain' as const, title: t('Error message'), text: message, isProblem: true }] : []),
    ...(result.error === undefined ? [] : [{ ...code(result.error, t('Error as JSON')), isFolded: typeof message === 'string' }]),
  ];
  const notices: Readonly<Record<string, string>> = {
    expired: t('Expired, not charged. Send it again.'),
    canceled: t('Canceled, not charged. Send it again.'),
  };
  const type = describeValue(result.type);
  const notice = Object.hasOwn(notices, type) ? notices[type] : undefined;
  const known = ['errored', 'expired', 'canceled'].includes(type);
  return { facts, ...cut(known ? parts : [...parts, code(result, t('Result as JSON'))]), ...(notice !== undefined && { notice }) };
}

/** Returns the request side of a pair. `params` is JSON text, either as sent or from the current file. */
export function toRequestSide(params: string, notice: string | undefined, context: PairContext): PairSide {
  const { translate: t, locale } = context;
  const noticePart = notice === undefined ? {} : { notice };
  if (params.length > longestParsed) {
    return { ...tooLong(context), ...noticePart };
  }
  let body: Json;
  try {
    body = toRecord(keepDigits(maskSecrets(JSON.parse(params)), params));
  } catch {
    return { facts: [], parts: [{ form: 'code', text: params.slice(0, maxText) }], isCut: params.length > maxText, ...noticePart };
  }
  const messages = toBlocks(body.messages);
  const last = messages.findLast(({ role }) => role === 'user');
  const systemTexts = toBlocks(body.system, true).flatMap(({ text }) => (typeof text === 'string' && text !== '' ? [text] : []));
  const system = systemTexts.join('\n\n');
  const asked = last === undefined ? [] : toBlocks(last.content, true).flatMap(block => toParts(block, t));
  const number = numberFormat(locale);
  return {
    facts: [
      ...factOf(t('Model'), body.model),
      ...(typeof body.max_tokens === 'number' ? [{ name: 'max_tokens', value: number.format(body.max_tokens) }] : []),
      ...(messages.length > 1 ? [{ name: t('Messages'), value: number.format(messages.length) }] : []),
    ],
    ...cut([
      ...(system === '' ? [] : [{ form: 'plain' as const, title: t('System prompt'), text: system, isFolded: true }]),
      ...asked.map((part, at) =>
        at === 0 && messages.length > 1 && part.title === undefined ? { ...part, title: t('Last message') } : part,
      ),
      { form: 'code', title: t('Request as JSON'), text: toRequestDocument(params).trimEnd(), isFolded: true },
    ]),
    ...noticePart,
  };
}

/** Returns a side with only the reason why the request can't be shown. */
export function toMissingRequest(notice: string): PairSide {
  return { facts: [], parts: [], notice, isCut: false };
}

/** Returns an answer as the text of a document. The text is Markdown, or JSON if the answer has no other content. */
export function toAnswerDocument(line: string, t: Translate): { readonly text: string; readonly ending: 'md' | 'json' } {
  const result = readMaskedResult(line);
  if (result.type !== 'succeeded') {
    return { text: `${writeJson(result, '  ')}\n`, ending: 'json' };
  }
  const parts = toBlocks(toRecord(result.message).content).flatMap(block => toParts(block, t));
  const [only] = parts;
  if (parts.length === 1 && only?.form === 'code') {
    return { text: `${only.text}\n`, ending: 'json' };
  }
  const texts = parts.map(({ form, title, text }) => {
    const body = form === 'code' ? `${fence(text)}json\n${text}\n${fence(text)}` : text;
    return title === undefined ? body : `## ${title}\n\n${body}`;
  });
  return { text: `${texts.join('\n\n')}\n`, ending: 'md' };
}

/** Returns a request for a document: pretty-printed with secrets masked. Keeps number notation, duplicate keys and escapes. */
export function toRequestDocument(params: string): string {
  const masked = maskLine(params);
  return toPretty(hiddenSecrets(masked) ?? masked);
}

/** Masks secrets in JSON that `maskLine` misses, such as secrets below escaped keys. Returns `undefined` if there are no such secrets. */
function hiddenSecrets(json: string): string | undefined {
  try {
    const value = shallow(JSON.parse(json) as unknown);
    const masked = maskSecrets(value);
    return JSON.stringify(masked) === JSON.stringify(value) ? undefined : writeJson(keepDigits(masked, json));
  } catch {
    return undefined;
  }
}

/** Returns the text of an answer, or the message of an error, for the clipboard. */
export function toAnswerWords(line: string): string {
  const result = readMaskedResult(line);
  return result.type === 'succeeded' ? answerText(result) : errorText(result) || writeJson(result, '  ');
}

function toParts(block: Json, t: Translate): readonly PairPart[] {
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string'
        ? [
            toTextPart(block.text),
            ...(Array.isArray(block.citations) && block.citations.length > 0
              ? [{ ...code(block.citations, t('Citations')), isFolded: true }]
              : []),
          ]
        : [code(block, 'text')];
    case 'thinking':
      return [{ form: 'plain', title: t('Thinking'), text: describeValue(block.thinking), isFolded: true }];
    case 'redacted_thinking':
      return [{ form: 'plain', title: t('Thinking, redacted by the service'), text: '' }];
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return [code(block.input, t('Tool use: {0}', toLabel(describeValue(block.name), 100)))];
    case 'image':
    case 'document':
      return [{ ...code(shortenData(block), toLabel(block.type, 40)), isFolded: true }];
    default:
      return [code(block, toLabel(describeValue(block.type ?? t('Unknown block')), 60))];
  }
}

/** Returns a text part: formatted JSON, or Markdown for any other text. */
function toTextPart(text: string): PairPart {
  const json = prettyAnswer(text);
  return json === undefined ? { form: 'markdown', text } : { form: 'code', text: json };
}

/** Shortens the data of images and files, because people can't read it. */
function shortenData(block: Json): unknown {
  const source = toRecord(block.source);
  return typeof source.data === 'string' && source.data.length > 200
    ? { ...block, source: { ...source, data: `${source.data.slice(0, 60)}…` } }
    : block;
}

function toUsage(usage: unknown, { translate: t, locale }: PairContext): Facts {
  const number = numberFormat(locale);
  const names: Readonly<Record<string, string>> = { input_tokens: t('Input tokens'), output_tokens: t('Output tokens') };
  return Object.entries(toRecord(usage)).flatMap(([name, value]) =>
    typeof value === 'number' && (value > 0 || Object.hasOwn(names, name))
      ? [{ name: Object.hasOwn(names, name) ? (names[name] ?? name) : toLabel(name, 60), value: number.format(value) }]
      : [],
  );
}

function factOf(name: string, value: unknown): Facts {
  return typeof value === 'string' && value !== '' ? [{ name, value: toLabel(value, 120) }] : [];
}

function cut(parts: readonly PairPart[]): { readonly parts: readonly PairPart[]; readonly isCut: boolean } {
  let left = maxText;
  let isCut = false;
  const shownParts: PairPart[] = [];
  for (const part of parts) {
    const text = part.text.length > left ? part.text.slice(0, left).replace(/[\ud800-\udbff]$/, '') : part.text;
    isCut ||= text.length < part.text.length;
    if (text !== '' || part.text === '') {
      shownParts.push({ ...part, text });
    }
    left -= text.length;
  }
  return { parts: shownParts, isCut };
}

/** Returns a side with only a notice that the side is too long to show. */
export function tooLong({ translate: t }: PairContext): PairSide {
  return { facts: [], parts: [], notice: t("This content can't be shown here."), isCut: true };
}

function code(value: unknown, title: string): PairPart {
  return { form: 'code', title, text: writeJson(value, '  ') };
}

/** Returns the blocks of content. Content is a list of blocks or a single text. */
function toBlocks(content: unknown, mayBeText = false): readonly Json[] {
  return mayBeText && typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content.map(toRecord) : [];
}

function fence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  return '`'.repeat(longest + 1);
}

function toRecord(value: unknown): Json {
  return isRecord(value) ? value : {};
}
