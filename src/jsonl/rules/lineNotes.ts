import { newerParams } from '../../contract/newerParams';
import type { Severity } from '../../contract/problem';
import { IdTable } from '../files/idTable';
import { Note } from '../wasm/requestLayout';
import { hasFixedSampling, rejectsPrefill } from './modelNames';
import { judgeModel } from './modelRules';
import { type RuleOptions, severityOf } from './ruleOptions';
import { type RuleId, ruleTable } from './ruleTable';

/** Rule and severity of a finding, without its range. */
export interface Noted {
  readonly rule: string;
  readonly severity: Severity;
}

type NotedRule = readonly [bits: number, rule: RuleId, severity?: Severity];

const always: readonly NotedRule[] = [
  [Note.Temperature, 'deprecated-field'],
  [Note.TopK, 'deprecated-field'],
  [Note.TopP, 'deprecated-field'],
  [Note.OutputFormat, 'deprecated-field'],
  [Note.OutputFormat | Note.ConfigFormat, 'output-format-twice'],
  [Note.StreamOn, 'stream-in-batch'],
  [Note.StreamOff, 'stream-in-batch', 'hint'],
  [Note.NoMessages, 'no-messages'],
  [Note.NoTokens, 'zero-max-tokens'],
  [Note.BudgetOverTokens, 'thinking-budget'],
  [Note.BudgetAllTokens, 'thinking-budget', 'warning'],
  [Note.UnknownVariant, 'unknown-variant'],
  [Note.UnknownField, 'unknown-field'],
];

const ofFixedSampling: readonly NotedRule[] = [
  [Note.TemperatureNotOne, 'sampling-rejected'],
  [Note.TopK, 'sampling-rejected'],
  [Note.LowTopP, 'sampling-rejected'],
];

const ofNoPrefill: readonly NotedRule[] = [[Note.Prefill, 'prefill']];
const ofNeverFast: readonly NotedRule[] = [[Note.FastSpeed, 'model-limit']];

const nothing: readonly Noted[] = [];

/** Maximum number of odd lines whose findings are remembered. More don't help if the oddities of each line differ. */
const maxLearned = 10_000;

/** Findings shared by all models that the rules treat alike. */
interface ModelNotes {
  readonly own: readonly Noted[];
  readonly rules: readonly NotedRule[];
  readonly byNotes: Map<number, readonly Noted[]>;
  readonly byOddities: Map<number, readonly Noted[]>;
}

interface NotedModel {
  readonly notes: ModelNotes;
  /** Upper limit of `max_tokens`, infinite if unknown. */
  readonly maxTokens: number;
}

/** Scanned line. The model name is [modelStart, modelEnd) of `bytes`. `modelStart` is 0 if there is no model. */
export interface ScannedLine {
  /** Bits of `Note`. */
  readonly notes: number;
  /** Fingerprint of the oddities: 0 if the line matches the schemas, otherwise an integer. */
  readonly oddities: number;
  /** 0 if the line has none. */
  readonly maxTokens: number;
  readonly bytes: Uint8Array;
  readonly modelStart: number;
  readonly modelEnd: number;
}

/**
 * Derives the findings of scanned lines without running the rules: from the notes of the scan, from the model, and from earlier lines with
 * the same oddities.
 */
export class LineNotes {
  private readonly models = new IdTable();
  private readonly byModel: NotedModel[] = [];
  private readonly alike = new Map<string, ModelNotes>();
  private readonly nameless: NotedModel = { notes: this.sharing(nothing, always), maxTokens: Number.POSITIVE_INFINITY };
  private learned = 0;

  private readonly asking: number;

  constructor(private readonly options: RuleOptions) {
    // The scan doesn't note which field is unknown, so the rules have to check whether the connection accepts it.
    const isTaken = options.newerParams?.some(field => !newerParams.includes(field)) === true;
    this.asking = isTaken ? Note.Ask | Note.UnknownField : Note.Ask;
  }

  /** Returns the findings of a line, or `undefined` if only the rules can decide. Then pass the findings of the rules to `learn`. */
  found(line: ScannedLine): readonly Noted[] | undefined {
    const { notes, oddities } = line;
    const model = this.knownModelOf(line);
    if (model === undefined) {
      return undefined;
    }
    if (oddities !== 0) {
      return model.byOddities.get(oddities);
    }
    return notes === 0 ? model.own : (model.byNotes.get(notes) ?? this.judge(notes, model));
  }

  /** Remembers the findings of the rules for a line. */
  learn(line: ScannedLine, problems: readonly Noted[]): void {
    const model = line.oddities === 0 || this.learned >= maxLearned ? undefined : this.knownModelOf(line);
    if (model !== undefined) {
      model.byOddities.set(
        line.oddities,
        problems.map(({ rule, severity }) => ({ rule, severity })),
      );
      this.learned++;
    }
  }

  /** Returns the findings shared by the line's model, or `undefined` if only the rules can check the line. */
  private knownModelOf(line: ScannedLine): ModelNotes | undefined {
    const { notes, maxTokens } = this.modelOf(line);
    return (line.notes & this.asking) !== 0 || line.maxTokens > maxTokens ? undefined : notes;
  }

  private modelOf({ bytes, modelStart, modelEnd }: ScannedLine): NotedModel {
    return modelStart === 0 ? this.nameless : (this.byModel[this.models.add(bytes, modelStart, modelEnd)] ?? this.addModel());
  }

  private addModel(): NotedModel {
    const index = this.byModel.length;
    const name = this.models.text(index);
    const own = [...judgeModel(name, [], this.options)].flatMap(({ rule }) => this.toNoted([0, rule]));
    const facts = this.options.modelFacts?.find(({ id }) => id === name);
    const rules = [
      ...always,
      ...(hasFixedSampling(name, this.options) ? ofFixedSampling : []),
      ...(rejectsPrefill(name, this.options) ? ofNoPrefill : []),
      ...(facts?.isNeverFast === true ? ofNeverFast : []),
    ];
    const model = { notes: this.sharing(own, rules), maxTokens: facts?.maxTokens ?? Number.POSITIVE_INFINITY };
    this.byModel.push(model);
    return model;
  }

  private sharing(own: readonly Noted[], rules: readonly NotedRule[]): ModelNotes {
    const key = [...rules.map(([bits, rule]) => `${bits} ${rule}`), ...own.map(({ rule, severity }) => `${rule} ${severity}`)].join();
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
