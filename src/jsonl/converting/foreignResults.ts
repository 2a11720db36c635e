import { writeWholeFiles } from '../files/blockWriter';
import type { PassContext } from '../files/lineFile';
import { textBlock } from './chatMessages';
import { givenId } from './convertItem';
import { forEachItem } from './foreignItems';
import { RawJson } from './rawJson';

/** Converts another service's results to this service's format, line by line. Other lines are copied unchanged. */
export async function convertResults(
  { path, outPath }: { readonly path: string; readonly outPath: string },
  context: PassContext,
): Promise<undefined> {
  await writeWholeFiles(context, async files => {
    const out = await files.createOfLines(outPath);
    forEachItem(
      path,
      'lines',
      ({ bytes }) => {
        context.throwIfAborted();
        const line = toResultLine(bytes.toString());
        if (line === undefined) {
          out.add(bytes);
        } else {
          out.addText(line);
        }
        out.addText('\n');
      },
      context,
    );
  });
}

/** Converts a line of another service's results. Returns `undefined` for any other line. */
export function toResultLine(text: string): string | undefined {
  const line = RawJson.parse(text);
  if (!(line instanceof RawJson) || !line.isObject || line.get('result') !== undefined) {
    return undefined;
  }
  const id = givenId(line.given('custom_id') ?? line.given('recordId'));
  const response = line.given('response');
  const body = response?.given('body') ?? line.given('modelOutput') ?? response;
  const error = line.given('error') ?? body?.given('error');
  const isFailure = error !== undefined || Number(response?.get('status_code')?.value ?? 200) >= 400;
  if (id === undefined || (body === undefined && !isFailure)) {
    return undefined;
  }
  const result = isFailure ? toFailure(error ?? body, response?.get('request_id')) : toSuccess(body as RawJson);
  return `{"custom_id":${JSON.stringify(id)},"result":${result}}`;
}

const endings: ReadonlyMap<unknown, string> = new Map([
  ['batch_expired', 'expired'],
  ['batch_cancelled', 'canceled'],
  ['batch_canceled', 'canceled'],
]);

function toFailure(error: RawJson | undefined, requestId: RawJson | undefined): string {
  const code = error?.given('code')?.string;
  const ending = endings.get(code);
  const type = error?.given('type')?.string ?? code ?? 'error';
  const message = error?.given('message') ?? error?.given('errorMessage');
  const text = message?.string !== undefined ? message.json : JSON.stringify(error?.string ?? error?.json ?? '');
  const request = requestId?.string === undefined ? '' : `,"request_id":${requestId.json}`;
  return `{"type":"${ending ?? 'errored'}","error":{"type":"error","error":{"type":${JSON.stringify(type)},"message":${text}}${request}}}`;
}

/** Stop reasons of the contract, keyed by stop reasons of other services. */
const stopReasons: ReadonlyMap<unknown, string> = new Map([
  ['stop', 'end_turn'],
  ['completed', 'end_turn'],
  ['length', 'max_tokens'],
  ['max_output_tokens', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['function_call', 'tool_use'],
  ['content_filter', 'refusal'],
]);

function toSuccess(body: RawJson): string {
  const isOwn = body.get('content')?.isArray === true && body.get('stop_reason') !== undefined;
  return `{"type":"succeeded","message":${isOwn ? body.json : toMessage(body)}}`;
}

function toMessage(body: RawJson): string {
  const choices = body.get('choices')?.items() ?? [];
  const output = body.get('output')?.items() ?? [];
  const blocks =
    choices.length > 0
      ? choices.flatMap(choice => toBlocks(choice.get('message') ?? choice))
      : output.length > 0
        ? output.flatMap(toBlocks)
        : [textBlock(JSON.stringify(body.json))];
  const isRefused = [...choices.map(choice => choice.get('message')), ...output].some(part => part?.given('refusal') !== undefined);
  const reason = choices[0]?.get('finish_reason') ?? body.get('incomplete_details')?.get('reason') ?? body.get('status');
  const stop = isRefused ? 'refusal' : (stopReasons.get(reason?.value) ?? reason?.string);
  const [id, model] = ['id', 'model'].map(name => body.get(name)?.string ?? '');
  return `{"id":${JSON.stringify(id)},"type":"message","role":"assistant","model":${JSON.stringify(model)},"content":[${blocks.join()}],"stop_reason":${JSON.stringify(stop ?? null)},"usage":${toUsage(body.get('usage'))}}`;
}

/** Returns the content blocks of a chat message, or of an output item of the responses interface. */
function toBlocks(part: RawJson): readonly string[] {
  const content = part.given('content') ?? part.given('text');
  const texts =
    content?.string !== undefined ? [content] : (content?.items() ?? []).flatMap(item => item.given('text') ?? item.given('refusal') ?? []);
  const thinking = part.given('reasoning_content');
  const calls = part.get('type')?.string === 'function_call' ? [part] : (part.get('tool_calls')?.items() ?? []);
  const refusal = part.given('refusal');
  return [
    ...(thinking?.string === undefined ? [] : [`{"type":"thinking","thinking":${thinking.json}}`]),
    ...[...texts, ...(refusal === undefined ? [] : [refusal])].filter(text => text.string !== undefined).map(text => textBlock(text.json)),
    ...calls.map(toToolUse),
  ];
}

function toToolUse(call: RawJson): string {
  const given = call.get('function') ?? call;
  const written = given.get('arguments')?.string ?? '{}';
  const input = RawJson.parse(written);
  const id = call.given('call_id') ?? call.given('id');
  return `{"type":"tool_use","id":${JSON.stringify(id?.string ?? '')},"name":${JSON.stringify(given.get('name')?.string ?? '')},"input":${input instanceof RawJson ? input.json : JSON.stringify(written)}}`;
}

/** Converts token counts. Other services count tokens read from a cache as input tokens too. */
function toUsage(usage: RawJson | undefined): string {
  const count = (value: RawJson | undefined) => (typeof value?.value === 'number' ? value.value : undefined);
  const input = count(usage?.get('prompt_tokens') ?? usage?.get('input_tokens'));
  const output = count(usage?.get('completion_tokens') ?? usage?.get('output_tokens'));
  const details = usage?.get('prompt_tokens_details') ?? usage?.get('input_tokens_details');
  const cached = count(details?.get('cached_tokens')) ?? 0;
  return JSON.stringify({
    ...(input !== undefined && { input_tokens: Math.max(0, input - cached) }),
    ...(output !== undefined && { output_tokens: output }),
    ...(cached > 0 && { cache_read_input_tokens: cached }),
  });
}
