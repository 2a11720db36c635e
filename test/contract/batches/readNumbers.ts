// Reads the numbers of a results file, to check the numbers that the extension shows. Shares no code with the extension.

/** Prices of one million tokens. */
export interface PlainPrice {
  readonly input: number;
  readonly output: number;
}

export interface Numbers {
  readonly statuses: Readonly<Record<string, number>>;
  readonly models: Readonly<Record<string, number>>;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
}

/** Sums up the lines of a results file as the service wrote it. `priceOf` returns the prices of a model. */
export function readNumbers(text: string, priceOf: (model: string) => PlainPrice): Numbers {
  const statuses: Record<string, number> = {};
  const models: Record<string, number> = {};
  let [inputTokens, outputTokens, cost] = [0, 0, 0];
  for (const line of text.split('\n').filter(one => one !== '')) {
    const { result } = JSON.parse(line);
    const status = statusOf(result);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (result.type === 'succeeded') {
      const { model, usage } = result.message;
      const { input, output } = priceOf(model);
      const { ephemeral_5m_input_tokens: short = 0, ephemeral_1h_input_tokens: long = 0 } = usage.cache_creation ?? {};
      models[model] = (models[model] ?? 0) + 1;
      inputTokens += usage.input_tokens;
      outputTokens += usage.output_tokens;
      const read = usage.cache_read_input_tokens ?? 0;
      cost += (input * (usage.input_tokens + 0.1 * read + 1.25 * short + 2 * long) + output * usage.output_tokens) / 1_000_000;
    }
  }
  return { statuses, models, inputTokens, outputTokens, cost };
}

// biome-ignore lint/suspicious/noExplicitAny: any result
function statusOf({ type, message }: any): string {
  if (type !== 'succeeded') {
    return type === 'errored' ? 'failed' : type;
  }
  if (message.stop_reason === 'max_tokens' || message.stop_reason === 'refusal') {
    return message.stop_reason === 'refusal' ? 'refused' : 'cut short';
  }
  const says = message.content.some(
    (block: { type: string; text?: string }) => block.type === 'tool_use' || (block.text ?? '').trim() !== '',
  );
  return says ? 'succeeded' : 'empty';
}
