import type { VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { Button } from '../../controls/button';
import { toCount } from '../../controls/numbers';
import { Panel } from '../../controls/panelContext';

/** Button that shows how many rows arrived while the end was not followed, and jumps to the end. */
export function NewRowsPill({ isFollowing, count, onClick }: { isFollowing: boolean; count: number; onClick: () => void }): VNode | null {
  const { t, locale } = useContext(Panel);
  return isFollowing ? null : (
    <div class="newRows">
      <Button look={count > 0 ? 'primary' : 'secondary'} icon="end" onClick={onClick}>
        {count === 0 ? t('Jump to Latest') : t('{0} New', toCount(count, locale))}
      </Button>
    </div>
  );
}
