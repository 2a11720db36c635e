import type { ComponentChildren, VNode } from 'preact';

/** A named fact of the session, as part of a description list. */
export function Fact({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <div class="header-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
