/** What of a tree has to be drawn again. */
export interface Redrawing<Root> {
  /** Whether the roots are those of before, in their order. */
  readonly wasSame: boolean;
  /** The roots that look different, or below which something does. */
  readonly changed: Root[];
}

/**
 * How the roots of a tree were drawn last. VS Code forgets all its rows while it draws a whole tree, and what a user folds or opens in
 * that moment is lost or shown empty: so only what looks different is drawn again.
 */
export class Drawn<Root> {
  private looks: ReadonlyMap<Root, string> | undefined;

  /** Takes in how the roots look now, each with what is below it. The same root is the same object. */
  take(looks: ReadonlyMap<Root, string>): Redrawing<Root> {
    const before = this.looks;
    this.looks = looks;
    const old = [...(before?.keys() ?? [])];
    const wasSame = before !== undefined && old.length === looks.size && [...looks.keys()].every((root, at) => root === old[at]);
    return { wasSame, changed: [...looks].filter(([root, look]) => before?.get(root) !== look).map(([root]) => root) };
  }
}
