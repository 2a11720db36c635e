import { newerParams } from '../../contract/newerParams';
import type { Severity } from '../../contract/problem';
import { TextTable } from '../files/textTable';
import { hasFixedSampling } from './modelNames';
import { judgeModel } from './modelRules';
import type { RuleOptions } from './ruleOptions';
import { type RuleId, ruleTable } from './ruleTable';
import { severityOf } from './severities';

/** What the scan notes about a line; bits, the same as in `../wasm/requestNotes.ts`. */
export const note = {
  temperature: 1 << 0,
  temperatureNotOne: 1 << 1,
  topK: 1 << 2,
  topP: 1 << 3,
  lowTopP: 1 << 4,
  outputFormat: 1 << 5,
  configFormat: 1 << 6,
  streamOn: 1 << 7,
  streamOff: 1 << 8,
  noMessages: 1 << 9,
  noTokens: 1 << 10,
  budgetOverTokens: 1 << 11,
  budgetAllTokens: 1 << 12,
  /** A content block or a tool of a type that is not known, once. */
  unknownVariant: 1 << 13,
  /** A field of the request or of its params that is not known, once. */
  unknownField: 1 << 14,
  /** Only the rules can tell whether there is something to say. */
  ask: 1 << 30,
} as const;

/** That a rule has found something, with the severity it shall have; not where. */
export interface Noted {
  readonly rule: string;
  readonly severity: Severity;
}

type NotedRule = readonly [bits: number, rule: RuleId, severity?: Severity];

const always: readonly NotedRule[] = [
  [note.temperature, 'deprecated-field'],
  [note.topK, 'deprecated-field'],
  [note.topP, 'deprecated-field'],
  [note.outputFormat, 'deprecated-field'],
  [note.outputFormat | note.configFormat, 'output-format-twice'],
  [note.streamOn, 'stream-in-batch'],
  [note.streamOff, 'stream-in-batch', 'hint'],
  [note.noMessages, 'no-messages'],
  [note.noTokens, 'zero-max-tokens'],
  [note.budgetOverTokens, 'thinking-budget'],
  [note.budgetAllTokens, 'thinking-budget', 'warning'],
  [note.unknownVariant, 'unknown-variant'],
  [note.unknownField, 'unknown-field'],
];

const ofFixedSampling: readonly NotedRule[] = [
  [note.temperatureNotOne, 'sampling-rejected'],
  [note.topK, 'sampling-rejected'],
  [note.lowTopP, 'sampling-rejected'],
];

const nothing: readonly Noted[] = [];

/** Lists of findings of odd lines that are remembered, at most: a file in which each line is odd in its own way needs no more. */
const mostLearned = 10_000;

/** What lines can have whose models mean the same to the rules. */
interface ModelNotes {
  readonly own: readonly Noted[];
  readonly rules: readonly NotedRule[];
  readonly byNotes: Map<number, readonly Noted[]>;
  readonly byOddities: Map<number, readonly Noted[]>;
}

/** A line as the scan knows it. The name of its model stands in [modelStart, modelEnd) of `bytes`; `modelStart` is 0 when it has none. */
export interface ScannedLine {
  readonly notes: number;
  readonly oddities: number;
  readonly bytes: Uint8Array;
  readonly modelStart: number;
  readonly modelEnd: number;
}

/**
 * Says of a line that the scan knows which rules have found something, by what the scan noted, by its model, and by what the rules
 * found on a line before with the same oddities. The answers are the rules'.
 */
export class LineNotes {
  private readonly models = new TextTable();
  private readonly byModel: ModelNotes[] = [];
  private readonly alike = new Map<string, ModelNotes>();
  private readonly nameless = this.sharing(nothing, always);
  private learned = 0;

  /** Notes of which only the rules know what they mean. */
  private readonly asking: number;

  constructor(private readonly options: RuleOptions) {
    // Which field it was is not noted; the scan tells none of these.
    const isTaken = options.newerParams?.some(field => !newerParams.includes(field)) === true;
    this.asking = isTaken ? note.ask | note.unknownField : note.ask;
  }

  /** Undefined when the rules must be asked; `learn` takes their answer. */
  found(line: ScannedLine): readonly Noted[] | undefined {
    const { notes, oddities } = line;
    if ((notes & this.asking) !== 0) {
      return undefined;
    }
    const model = this.modelOf(line);
    if (oddities !== 0) {
      return model.byOddities.get(oddities);
    }
    return notes === 0 ? model.own : (model.byNotes.get(notes) ?? this.judge(notes, model));
  }

  /** Remembers what the rules said of a line of which nothing was known. */
  learn(line: ScannedLine, problems: readonly Noted[]): void {
    const { notes, oddities } = line;
    if (oddities !== 0 && (notes & this.asking) === 0 && this.learned < mostLearned) {
      this.modelOf(line).byOddities.set(
        oddities,
        problems.map(({ rule, severity }) => ({ rule, severity })),
      );
      this.learned++;
    }
  }

  private modelOf({ bytes, modelStart, modelEnd }: ScannedLine): ModelNotes {
    return modelStart === 0 ? this.nameless : (this.byModel[this.models.intern(bytes, modelStart, modelEnd)] ?? this.addModel());
  }

  private addModel(): ModelNotes {
    const index = this.byModel.length;
    const name = this.models.textAt(index);
    const own = [...judgeModel(name, [], this.options)].flatMap(({ rule }) => this.toNoted([0, rule]));
    const model = this.sharing(own, hasFixedSampling(name, this.options) ? [...always, ...ofFixedSampling] : always);
    this.byModel.push(model);
    return model;
  }

  private sharing(own: readonly Noted[], rules: readonly NotedRule[]): ModelNotes {
    const key = [rules.length, ...own.map(({ rule, severity }) => `${rule} ${severity}`)].join();
    const model = this.alike.get(key) ?? { own: own.length === 0 ? nothing : own, rules, byNotes: new Map(), byOddities: new Map() };
    this.alike.set(key, model);
    return model;
  }

  private judge(notes: number, { own, rules, byNotes }: ModelNotes): readonly Noted[] {
    const noted = rules.filter(([bits]) => (notes & bits) === bits).flatMap(rule => this.toNoted(rule));
    const all = noted.length === 0 ? own : [...own, ...noted];
    byNotes.set(notes, all);
    return all;
  }

  private toNoted([, rule, own = ruleTable[rule].severity]: NotedRule): readonly Noted[] {
    const severity = severityOf(rule, own, this.options);
    return severity === undefined ? nothing : [{ rule, severity }];
  }
}
