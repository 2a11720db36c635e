import { isRecord } from '../../shared/isRecord';
import { resolveReference } from '../../shared/schema/schemaKeywords';

interface Block {
  readonly id: string;
  readonly heading: string;
  text: string;
}

/**
 * Returns the reply to a question about a session's transcript. The reply is JSON by `schema`, and cites the first failed event, or else
 * the last event. An enum of the schema lists its values from good to bad. Returns `undefined` for any other question.
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

/** Answers to the sample requests of the extension, by the last text of the user. */
const answers: Readonly<Record<string, string>> = {
  'What is the capital of Chile? Answer with its name only.': 'Santiago',
  'Why are there two high tides a day, and not one? Explain it to a curious twelve-year-old.':
    'The Moon pulls on the ocean. The water on the near side is pulled a little more than the Earth, so it bulges toward the Moon. The Earth itself is pulled a little more than the water on the far side, which is left behind and bulges the other way. The Earth turns under both bulges once a day, so your beach gets two high tides.',
  'Write a haiku about rain on a tin roof.': 'Rain on the tin roof\na thousand small drums wake up\nand then play me to sleep',
  'The screen is lovely, but the battery is empty before lunch.': 'mixed',
  'Third pair I have bought. They last for years.': 'positive',
  'Translate this menu into English, one dish a line:\nCrème de potiron\nTruite aux amandes\nTarte fine aux pommes':
    'Cream of pumpkin soup\nTrout with almonds\nThin apple tart',
  'Invoice 2044 from Acme Tools, 17 March, total EUR 129.90 including EUR 20.74 tax.':
    '{"number":"2044","seller":"Acme Tools","total":129.9,"currency":"EUR"}',
  'Do I need an umbrella in Bergen tomorrow?':
    "I'd call get_forecast for Bergen and tomorrow's date to be sure. Without it: it rains on about two of three days in Bergen, so take one.",
  'Which of them crosses the most borders?':
    'The Danube: it flows through or along ten countries, more than any other river. The Rhine touches six, the Douro two.',
  'Prove that 1 + 3 + 5 + ... + (2n - 1) = n² for every n ≥ 1.':
    'By induction on n.\n\nFor n = 1 the sum is 1 = 1².\n\nSuppose 1 + 3 + ... + (2n - 1) = n². The next odd number is 2n + 1, and n² + 2n + 1 = (n + 1)². So the claim holds for n + 1, and with that for every n ≥ 1. ∎',
  'List five board games for two players, one a line, then write END.': 'Chess\nGo\nBackgammon\nHive\nPatchwork\nEND',
  'Describe the water cycle in detail. This request allows eight tokens, so that you see an answer that was cut short.':
    'The Sun warms the sea, and water rises as vapor. High up it cools and becomes clouds, falls as rain or snow, and runs back to the sea in rivers and under the ground.',
  'What is the boiling point of water on top of Mont Blanc?':
    'About 84 °C: at 4,806 meters the air pressure is little more than half of that at sea level.',
  'Which is longer, a nautical mile or a land mile?': 'A nautical mile: 1,852 meters against 1,609.',
  "Suggest a title for a talk about reading other people's code.": 'Tourists in a Strange Repo',
  'What does a hash function promise?':
    'The same input always gives the same short output, and it is hard to find another input that gives it too.',
  'Turn into a polite request: Send me the report.': 'Could you please send me the report when you have a moment?',
  "Spell 'rhythm' backwards.": 'm-h-t-y-h-r',
  'Product: Kettle\nStars: 5 of 5\n\nBoils fast, and the handle stays cool.': 'praise',
  'Product: Kettle\nStars: 2 of 5\n\nIt leaked\nfrom the third day on.': 'complaint',
  'Product: Desk lamp\nStars: 4 of 5\n\nWarm light. The switch says "click" rather loudly.': 'mixed',
  'Product: Desk lamp\nStars: 1 of 5\n\nArrived without a bulb.': 'complaint',
  'Product: Backpack\nStars: 5 of 5\n\nCarries a laptop, lunch and a raincoat.': 'praise',
  'Product: Backpack\nStars: 3 of 5\n\nGood straps, poor zips.': 'mixed',
};

export function sampleAnswer(question: string): string | undefined {
  return Object.hasOwn(answers, question) ? answers[question] : undefined;
}

const deepest = 12;

/** Returns the smallest value that the plain keywords of a JSON schema allow: required fields only, first enum value, shortest arrays. */
export function minimalJson(schema: unknown, root: unknown = schema, depth = 0): unknown {
  if (!isRecord(schema) || depth > deepest) {
    return null;
  }
  if (typeof schema.$ref === 'string') {
    return minimalJson(resolveReference(root, schema.$ref), root, depth + 1);
  }
  for (const fixed of ['const', 'default'] as const) {
    if (schema[fixed] !== undefined) {
      return schema[fixed];
    }
  }
  if (Array.isArray(schema.enum)) {
    return schema.enum[0];
  }
  for (const choice of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(choice)) {
      return minimalJson(choice[0], root, depth + 1);
    }
  }
  if (Array.isArray(schema.allOf)) {
    const parts = schema.allOf.map(part => minimalJson(part, root, depth + 1));
    return parts.every(isRecord) ? Object.assign({}, ...parts, objectFor(schema, root, depth)) : parts[0];
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case 'string':
      return 'emulated'.padEnd(typeof schema.minLength === 'number' ? Math.min(schema.minLength, 10_000) : 0, '.');
    case 'integer':
    case 'number':
      return numberFor(schema);
    case 'boolean':
      return true;
    case 'array': {
      const count = typeof schema.minItems === 'number' ? Math.min(schema.minItems, 100) : 0;
      return Array.from({ length: count }, () => minimalJson(schema.items, root, depth + 1));
    }
    case 'null':
      return null;
    default:
      return objectFor(schema, root, depth);
  }
}

function objectFor(schema: Record<string, unknown>, root: unknown, depth: number): Record<string, unknown> {
  const properties = isRecord(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required.filter(name => typeof name === 'string') : [];
  return Object.fromEntries(required.map(name => [name, minimalJson(properties[name], root, depth + 1)]));
}

function numberFor(schema: Record<string, unknown>): number {
  if (typeof schema.minimum === 'number') {
    return schema.type === 'integer' ? Math.ceil(schema.minimum) : schema.minimum;
  }
  if (typeof schema.exclusiveMinimum === 'number') {
    return Math.floor(schema.exclusiveMinimum) + 1;
  }
  return typeof schema.maximum === 'number' ? Math.min(0, Math.floor(schema.maximum)) : 0;
}
