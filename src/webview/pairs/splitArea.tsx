import type { ComponentChildren, VNode } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import { Panel } from '../controls/panelContext';

const minShare = 20;
const maxShare = 85;

interface SplitAreaProps {
  readonly saved: { readonly state: { readonly split?: number }; update(changes: { readonly split: number }): void };
  readonly table: ComponentChildren;
  readonly pair: VNode | undefined;
}

/** A table and the open pair, divided by a line that can be moved. */
export function SplitArea({ saved, table, pair }: SplitAreaProps): VNode {
  const area = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(saved.state.split ?? 50);
  const onShare = (next: number): void => {
    setShare(next);
    saved.update({ split: next });
  };
  return (
    <div class="area flexColumn" ref={area}>
      <div class="tableArea flexColumn">{table}</div>
      {pair === undefined ? null : (
        <>
          <Splitter {...{ share, area, onShare }} />
          <div class="pairArea" style={{ flexBasis: `${share}%` }}>
            {pair}
          </div>
        </>
      )}
    </div>
  );
}

interface SplitterProps {
  /** Height of the lower part, in percent. */
  readonly share: number;
  readonly area: { readonly current: HTMLElement | null };
  readonly onShare: (share: number) => void;
}

function Splitter({ share, area, onShare }: SplitterProps): VNode {
  const { t } = useContext(Panel);
  const set = (next: number): void => onShare(Math.round(Math.max(minShare, Math.min(maxShare, next))));
  const drag = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const box = area.current?.getBoundingClientRect();
    if (box !== undefined && event.currentTarget.hasPointerCapture(event.pointerId)) {
      set(((box.bottom - event.clientY) / box.height) * 100);
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a movable separator needs the focus, which an `hr` does not take
    <div
      class="splitter"
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label={t('Height of the request and answer area')}
      aria-valuemin={minShare}
      aria-valuemax={maxShare}
      aria-valuenow={share}
      onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={event => {
        if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
          event.preventDefault();
          set(share + (event.key === 'ArrowUp' ? 5 : -5));
        }
      }}
    />
  );
}
