import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { Row } from '../../../shared/session/rows/rows';
import { Icon, type IconName } from '../controls/icon';
import { Rows } from './rowsContext';

interface RowLineProps {
  readonly row: Row;
  readonly icon: IconName;
  readonly spin?: boolean;
  /** Whether it is open; undefined when there is nothing to fold. */
  readonly isOpen: boolean | undefined;
  /** What can be pressed, before the facts. */
  readonly action?: ComponentChildren;
  /** Short facts before the time: a duration, tokens. */
  readonly facts?: ComponentChildren;
  /** What stands in the line. */
  readonly children: ComponentChildren;
}

/** First line of every row: icon, words, facts, time. The words fold and unfold where there is something to fold. */
export function RowLine({ row, icon, spin = false, isOpen, action, facts, children }: RowLineProps): VNode {
  const { setOpen, times } = useContext(Rows);
  const { at } = row;
  const time = times.timeOf(at);
  return (
    <>
      <Icon name={icon} spin={spin} />
      {isOpen === undefined ? (
        <div class="rowHead">{children}</div>
      ) : (
        <button type="button" class="rowHead foldable" tabIndex={-1} aria-expanded={isOpen} onClick={() => setOpen(row.key, !isOpen)}>
          {children}
        </button>
      )}
      {action}
      {hasFacts(facts) || action !== undefined ? <span class="rowFacts">{facts}</span> : null}
      {at === undefined || time === undefined ? null : (
        <time
          class="rowTime"
          onPointerEnter={event => {
            // Written when it is looked at: the whole moment takes longer to make than all the rest of the line.
            event.currentTarget.title = times.fullOf(at);
          }}
        >
          {time}
        </time>
      )}
    </>
  );
}

function hasFacts(facts: ComponentChildren): boolean {
  return facts !== undefined && facts !== null && facts !== '';
}
