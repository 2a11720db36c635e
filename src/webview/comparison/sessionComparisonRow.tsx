import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { SessionComparisonRow } from '../../shared/comparison/sessionComparisonProtocol';
import type { PairRowProps } from '../pairs/pairTable';
import { Cell, TableRow } from '../list/tableRow';
import { Panel } from '../controls/panelContext';

/** A turn or step of both sessions, or a placeholder until it is loaded. */
export function SessionComparisonRowView({ place, row, top, isActive, isOpen }: PairRowProps<SessionComparisonRow>): VNode {
  return (
    <TableRow {...{ place, top, isActive, isOpen }} isComing={row === undefined} look={row?.isTurn === true ? 'isTurn' : undefined}>
      {row === undefined ? null : (
        <>
          <Cell>{row.turn}</Cell>
          <Cell look="words" title={row.what}>
            {row.what}
          </Cell>
          <Cell look={`kind-${row.kind} words kind`} title={row.change}>
            {row.change}
          </Cell>
          <Side words={row.before} />
          <Side words={row.after} />
        </>
      )}
    </TableRow>
  );
}

function Side({ words }: { readonly words: string | undefined }): VNode {
  const { t } = useContext(Panel);
  return words === undefined ? (
    <Cell look="isComing">{t('nothing')}</Cell>
  ) : (
    <Cell look="words" title={words}>
      {words}
    </Cell>
  );
}
