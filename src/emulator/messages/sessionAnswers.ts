import { minimalJson } from '../http/minimalJson';

interface Block {
  readonly id: string;
  readonly heading: string;
  text: string;
}

/**
 * Returns the reply to a question about a session's transcript: JSON by `schema` that cites the first failed event, or else the last one.
 * An enum of the schema lists its values from good to bad. Returns `undefined` for any other question.
 */
export function sessionAnswer(question: string, schema: unknown): string | undefined {
  if (!question.startsWith('<session {')) {
    return undefined;
  }
  const blocks = blocksOf(question);
  const fault = blocks.find(({ heading, text }) => /^error|failed/.test(heading) || text.includes('result (error):'));
  const cited = fault ?? blocks.at(-1);
  const lines = cited?.text.split('\n').filter(line => line.trim() !== '') ?? [];
  const quote = (lines.at(-1) ?? cited?.heading ?? '').trim().slice(0, 200);
  const answer = minimalJson(schema);
  const { properties = {} } = schema as {
    readonly properties?: Readonly<Record<string, { readonly type?: string; readonly enum?: readonly unknown[] }>>;
  };
  const values = Object.entries(properties).map(([name, { type, enum: choices }]) => [
    name,
    choices !== undefined
      ? choices.at(fault === undefined ? 0 : -1)
      : type === 'string'
        ? fault === undefined
          ? 'Nothing failed.'
          : `${fault.heading}: ${quote}`
        : (answer as Readonly<Record<string, unknown>>)[name],
  ]);
  const citations = cited === undefined ? [] : [{ quote, event_id: cited.id }];
  return JSON.stringify({ ...Object.fromEntries(values), ...('citations' in properties && { citations }) });
}

/** Groups numbered answers, `[1] ...`, by their first three words. Returns `undefined` for any other question. */
export function groupsAnswer(question: string): string | undefined {
  if (!question.startsWith('<answers>\n')) {
    return undefined;
  }
  const groups = new Map<string, number[]>();
  for (const { id, text, heading } of blocksOf(question)) {
    const name =
      `${heading} ${text}`
        .match(/[\p{L}\p{N}]+/gu)
        ?.slice(0, 3)
        .join(' ') ?? 'Other';
    groups.set(name, [...(groups.get(name) ?? []), Number(id)]);
  }
  return JSON.stringify({ groups: [...groups].map(([name, members]) => ({ name, members })) });
}

function blocksOf(text: string): readonly Block[] {
  const found: Block[] = [];
  let block: Block | undefined;
  for (const line of text.split('\n')) {
    if (block !== undefined && line.startsWith(' ')) {
      block.text += `${line}\n`;
      continue;
    }
    const [, id, heading = ''] = line.match(/^\[([^\]\n]+)\] ?(.*)$/) ?? [];
    block = id === undefined ? undefined : { id, heading, text: '' };
    found.push(...(block === undefined ? [] : [block]));
  }
  return found;
}
