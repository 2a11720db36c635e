import { isSame } from './keptList';

/** Snapshot of a tree. A node is the same object for as long as it stands for the same thing. */
export interface TreeShape<Node> {
  readonly roots: readonly Node[];
  /** Returns the known children of a node. */
  below(node: Node): readonly Node[];
  /** Returns everything that is visible of a node itself. */
  lookOf(node: Node): string;
}

/** Parts of a tree to redraw. */
export interface Redrawing<Node> {
  /** True if the roots are the same, in the same order. */
  readonly wasSame: boolean;
  /** Nodes that look different or have other children, without those below another of these nodes. */
  readonly changed: Node[];
}

interface DrawnNode<Node> {
  readonly look: string;
  readonly below: readonly Node[];
}

/**
 * The tree as last drawn. While VS Code redraws a whole tree it forgets all rows, so folding and opening is lost, and it requests every row
 * again. So only rows that look different are redrawn.
 */
export class Drawn<Node extends object> {
  private roots: readonly Node[] | undefined;
  private nodes: ReadonlyMap<Node, DrawnNode<Node>> = new Map();

  /** Compares the tree with the last one and remembers it. */
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
