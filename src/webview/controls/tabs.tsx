import type { ComponentChildren, VNode } from 'preact';

interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly title?: string; readonly content: ComponentChildren }[];
  readonly shown: Id;
  readonly onShow: (id: Id) => void;
  /** Id of the element with the content of the shown tab. The id of a tab's button is this id, a hyphen and the tab's `id`. */
  readonly panelId: string;
}

/** Tabs above a panel. Arrow keys move between the tabs. */
export function Tabs<Id extends string>({ label, tabs, shown, onShow, panelId }: TabsProps<Id>): VNode {
  const move = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void => {
    const from = tabs.findIndex(({ id }) => id === shown);
    const to = { ArrowRight: (from + 1) % tabs.length, ArrowLeft: (from || tabs.length) - 1, Home: 0, End: tabs.length - 1 }[event.key];
    const tab = to === undefined ? undefined : tabs[to];
    if (tab !== undefined) {
      event.preventDefault();
      onShow(tab.id);
      event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]')[to ?? 0]?.focus();
    }
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map(({ id, title, content }) => (
        <button
          key={id}
          id={`${panelId}-${id}`}
          type="button"
          role="tab"
          class="tab"
          aria-selected={id === shown}
          aria-controls={panelId}
          tabIndex={id === shown ? 0 : -1}
          title={title}
          onClick={() => onShow(id)}
        >
          {content}
        </button>
      ))}
    </div>
  );
}
