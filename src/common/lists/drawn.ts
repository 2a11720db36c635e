import { isSame } from './keptList';

/** What is drawn of a tree: its nodes, each the same object for as long as it stands for the same thing. */
export interface TreeShape<Node> {
  readonly roots: readonly Node[];
  /** What is known below a node. */
  below(node: Node): readonly Node[];
  /** All that is seen of a node itself. */
  lookOf(node: Node): string;
}

/** What of a tree has to be drawn again. */
export interface Redrawing<Node> {
  /** Whether the roots are those of before, in their order. */
  readonly wasSame: boolean;
  /** The nodes that look different or have others below them, and none that is below one of these. */
  readonly changed: Node[];
}

interface DrawnNode<Node> {
  readonly look: string;
  readonly below: readonly Node[];
}

/**
 * How a tree was drawn last. VS Code forgets all its rows while it draws a whole tree, and what a user folds or opens in that moment is lost
 * or shown empty; and it asks for all of them again. So only what looks different is drawn again.
 */
export class Drawn<Node extends object> {
  private roots: readonly Node[] | undefined;
  private nodes: ReadonlyMap<Node, DrawnNode<Node>> = new Map();

  /** Takes in how the tree looks now. */
  take({ roots, below, lookOf }: TreeShape<Node>): Redrawing<Node> {
    const { nodes: before, roots: oldRoots } = this;
    const nodes = new Map<Node, DrawnNode<Node>>();
    const changed: Node[] = [];
    const visit = (node: Node, isTold: boolean) => {
      const now = { look: lookOf(node), below: [...below(node)] };
      const old = before.get(node);
      const isOther = old?.look !== now.look || !isSame(old.below, now.below);
      nodes.set(node, now);
      if (isOther && !isTold) {
        changed.push(node);
      }
      for (const child of now.below) {
        visit(child, isTold || isOther);
      }
    };
    for (const root of roots) {
      visit(root, false);
    }
    this.roots = [...roots];
    this.nodes = nodes;
    return { wasSame: oldRoots !== undefined && isSame(oldRoots, roots), changed };
  }
}
