import * as vscode from 'vscode';
import { CancelledError } from '../cancellation';
import { withoutLinks } from '../text/withoutLinks';
import { onlyOf } from './nothingToDo';

/** Asks one question. Returns the next one, or `undefined` at the end. `canGoBack`: there is a previous one. */
export type Step = (canGoBack: boolean) => Promise<Step | undefined>;

/** Thrown by a question if the user pressed the back button. */
class GoBack extends Error {}

/**
 * Asks one question after the other. The Back button returns to the previous question. A question can also return an earlier question to go
 * back. Rejects with `CancelledError` on Escape.
 */
export async function runSteps(first: Step): Promise<void> {
  const asked: Step[] = [];
  let step: Step | undefined = first;
  while (step !== undefined) {
    try {
      const next: Step | undefined = await step(asked.length > 0);
      asked.push(step);
      const index = next === undefined ? -1 : asked.indexOf(next);
      if (index >= 0) {
        asked.length = index;
      }
      step = next;
    } catch (error) {
      const before = error instanceof GoBack ? asked.pop() : undefined;
      if (before === undefined) {
        throw error;
      }
      step = before;
    }
  }
}

/** Asks the questions of a list in order, like `runSteps`. The list may depend on the answers so far. */
export async function runQuestions(questions: () => readonly ((canGoBack: boolean) => Promise<void>)[]): Promise<void> {
  const at =
    (index: number): Step =>
    async canGoBack => {
      await questions()[index]?.(canGoBack);
      return questions()[index + 1] === undefined ? undefined : at(index + 1);
    };
  await runSteps(at(0));
}

export interface Question {
  readonly title: string;
  /** Position of the question, 1-based, out of `totalSteps`. */
  readonly step?: number;
  readonly totalSteps?: number;
  readonly canGoBack?: boolean;
}

interface TextQuestion extends Question {
  readonly value?: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** Returns the problem with the text, or `undefined`. Called at every change and before the text is accepted. */
  readonly validate: (text: string) => string | undefined;
}

/** Asks for an ID, and returns it without surrounding spaces. Rejects with `CancelledError` on Escape. */
export async function askId(question: Pick<TextQuestion, 'title' | 'prompt' | 'value'>): Promise<string> {
  const validate = (text: string) => (text.trim() === '' ? vscode.l10n.t('Enter an ID') : undefined);
  return (await askText({ ...question, validate })).trim();
}

/** Asks for text. Rejects with `CancelledError` on Escape. */
export async function askText(question: TextQuestion): Promise<string> {
  const input = vscode.window.createInputBox();
  input.value = question.value ?? '';
  input.prompt = withoutLinks(question.prompt);
  input.placeholder = question.placeholder;
  input.password = question.password ?? false;
  const problemOf = (text: string) => {
    const problem = question.validate(text);
    return problem === undefined ? undefined : withoutLinks(problem);
  };
  return showInput(input, question, resolve => [
    input.onDidChangeValue(text => {
      // An empty box shows no error yet.
      input.validationMessage = text === '' ? undefined : problemOf(text);
    }),
    input.onDidAccept(() => {
      const problem = problemOf(input.value);
      input.validationMessage = problem;
      if (problem === undefined) {
        resolve(input.value);
      }
    }),
  ]);
}

/** One item to choose. A separator has no value. */
export interface Choice<T> extends vscode.QuickPickItem {
  readonly value?: T;
}

interface PickQuestion<T> extends Question {
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  /** Choice that is focused initially. */
  readonly active?: T;
  /** Message for an empty list of choices. With this message, the only choice of a list is returned without asking. */
  readonly none?: string;
  /** Returns an additional choice for the typed text, if the typed text is valid. */
  readonly typed?: (text: string) => Choice<T> | undefined;
}

/** Asks the user to choose one item. Rejects with `CancelledError` on Escape, and with `NothingToDoError` for an empty list. */
export async function askChoice<T>(question: PickQuestion<T>): Promise<T> {
  const values = question.choices.map(({ value }) => value).filter(value => value !== undefined);
  const only = question.none === undefined ? undefined : onlyOf(values, question.none);
  if (only !== undefined) {
    return only;
  }
  const pick = vscode.window.createQuickPick<Choice<T>>();
  pick.placeholder = question.placeholder;
  pick.items = question.choices;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const active = question.choices.filter(({ value }) => value !== undefined && value === question.active);
  if (active.length > 0) {
    // An empty list would remove the focus from the first choice, so that Enter would do nothing.
    pick.activeItems = active;
  }
  return showInput(pick, question, resolve => [
    pick.onDidChangeValue(text => {
      const choice = question.typed?.(text.trim());
      if (question.typed !== undefined) {
        pick.items = choice === undefined ? question.choices : [{ ...choice, alwaysShow: true }, ...question.choices];
      }
    }),
    pick.onDidAccept(() => {
      const value = pick.selectedItems[0]?.value;
      if (value !== undefined) {
        resolve(value);
      }
    }),
  ]);
}

interface ChoicesQuestion<T> extends Question {
  readonly placeholder: string;
  readonly choices: readonly Choice<T>[];
  readonly ticked: readonly T[];
  /** Returns the problem with the selected choices, or `undefined`. Called before the choices are accepted. */
  readonly validate: (ticked: readonly T[]) => string | undefined;
}

/** Asks the user to select choices. Stays open until they are valid. Rejects with `CancelledError` on Escape. */
export async function askChoices<T>(question: ChoicesQuestion<T>): Promise<readonly T[]> {
  const pick = vscode.window.createQuickPick<Choice<T>>();
  pick.placeholder = question.placeholder;
  pick.canSelectMany = true;
  pick.items = question.choices;
  pick.selectedItems = question.choices.filter(({ value }) => value !== undefined && question.ticked.includes(value));
  pick.matchOnDescription = true;
  return showInput(pick, question, resolve => [
    pick.onDidAccept(() => {
      const ticked = pick.selectedItems.flatMap(({ value }) => value ?? []) as readonly T[];
      const problem = question.validate(ticked);
      pick.title = problem === undefined ? question.title : `${question.title}: ${withoutLinks(problem)}`;
      if (problem === undefined) {
        resolve(ticked);
      }
    }),
  ]);
}

export function separator(label: string): Choice<never> {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** Shows an input until `listen` resolves it, then disposes it. Rejects with `CancelledError` on Escape. */
export async function showInput<T>(
  input: vscode.QuickInput & Pick<vscode.InputBox, 'buttons' | 'onDidTriggerButton'>,
  { title, step, totalSteps, canGoBack }: Question,
  listen: (resolve: (value: T) => void, reject: (error: unknown) => void) => vscode.Disposable[],
): Promise<T> {
  const listeners: vscode.Disposable[] = [];
  input.title = title;
  input.step = step;
  input.totalSteps = totalSteps;
  input.ignoreFocusOut = true;
  input.buttons = canGoBack ? [vscode.QuickInputButtons.Back] : [];
  try {
    return await new Promise<T>((resolve, reject) => {
      listeners.push(
        ...listen(resolve, reject),
        input.onDidTriggerButton(() => reject(new GoBack())),
        input.onDidHide(() => reject(new CancelledError())),
      );
      input.show();
    });
  } finally {
    vscode.Disposable.from(...listeners, input).dispose();
  }
}
