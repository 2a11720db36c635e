import { newerParams } from '../../contract/newerParams';
import type { Severity } from '../../contract/problem';
import { IdTable } from '../files/idTable';
import { Note } from '../wasm/requestLayout';
import type { RuleOptions } from './ruleOptions';

/** Rule and severity of a finding, without its range. */
export interface Noted {
  readonly rule: string;
  readonly severity: Severity;
}

/** Maximum number of lines whose findings are remembered. A larger cache doesn't help if the oddities of each line differ. */
const maxLearned = 10_000;

interface ModelNotes {
  readonly byOddities: Map<number, readonly Noted[]>;
  /** Upper limit of `max_tokens`, infinite if unknown. */
  readonly maxTokens: number;
}

/** Scanned line. The model name is [modelStart, modelEnd) of `bytes`. `modelStart` is 0 if there is no model. */
export interface ScannedLine {
  /** Bits of `Note`. */
  readonly notes: number;
  /** Fingerprint of the oddities. 0 if the line matches the schemas and has nothing that other rules report. */
  readonly oddities: number;
  /** 0 if the line has no `max_tokens`. */
  readonly maxTokens: number;
  readonly bytes: Uint8Array;
  readonly modelStart: number;
  readonly modelEnd: number;
}

/** Cache of findings by model and oddities. Returns the findings of a scanned line without running the rules. */
export class LineNotes {
  private readonly models = new IdTable();
  private readonly byModel: ModelNotes[] = [];
  private readonly nameless: ModelNotes = { byOddities: new Map(), maxTokens: Number.POSITIVE_INFINITY };
  private readonly asking: number;
  private learned = 0;

  constructor(private readonly options: RuleOptions) {
    // The scan doesn't note which field is unknown, so the rules have to check whether the connection accepts it.
    const isTaken = options.newerParams?.some(field => !newerParams.includes(field)) === true;
    this.asking = isTaken ? Note.Ask | Note.UnknownField : Note.Ask;
  }

  /** Returns the findings of a line, or `undefined` if only the rules can decide. Then pass the findings of the rules to `learn`. */
  found(line: ScannedLine): readonly Noted[] | undefined {
    return this.notesOf(line)?.get(line.oddities);
  }

  learn(line: ScannedLine, problems: readonly Noted[]): void {
    const notes = this.learned >= maxLearned ? undefined : this.notesOf(line);
    if (notes !== undefined) {
      notes.set(
        line.oddities,
        problems.map(({ rule, severity }) => ({ rule, severity })),
      );
      this.learned++;
    }
  }

  /** Returns the findings for the line's model, or `undefined` if the line's oddities don't determine its findings. */
  private notesOf(line: ScannedLine): Map<number, readonly Noted[]> | undefined {
    const { byOddities, maxTokens } = this.modelOf(line);
    return (line.notes & this.asking) !== 0 || line.maxTokens > maxTokens ? undefined : byOddities;
  }

  private modelOf({ bytes, modelStart, modelEnd }: ScannedLine): ModelNotes {
    return modelStart === 0 ? this.nameless : (this.byModel[this.models.add(bytes, modelStart, modelEnd)] ?? this.addModel());
  }

  private addModel(): ModelNotes {
    const name = this.models.text(this.byModel.length);
    const facts = this.options.modelFacts?.find(({ id }) => id === name);
    const model = { byOddities: new Map<number, readonly Noted[]>(), maxTokens: facts?.maxTokens ?? Number.POSITIVE_INFINITY };
    this.byModel.push(model);
    return model;
  }
}
