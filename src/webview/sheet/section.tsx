import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { SheetAct, SheetBlock, SheetItem, SheetLink, SheetSection } from '../../shared/sheet/sheetProtocol';
import { Button } from '../controls/button';
import { Choices } from './choices';
import { Links, ToneIcon } from './links';
import { Prices } from './prices';
import { Table } from './sheetTable';

interface FoldingProps {
  readonly unfolded: ReadonlySet<string>;
  readonly toggle: (fold: string, isOpen: boolean) => void;
  readonly act: (act: SheetAct) => void;
}

/** One section with its heading. */
export function Section({ section: { id, title, blocks }, ...folding }: FoldingProps & { section: SheetSection }): VNode {
  return (
    <section class="section" aria-labelledby={`title-${id}`}>
      <h2 id={`title-${id}`}>{title}</h2>
      <Blocks id={id} blocks={blocks} {...folding} />
    </section>
  );
}

/** The blocks of a sheet, one below the other. `id` is the key of their folding state. */
export function Blocks({ id, blocks, ...folding }: FoldingProps & { id: string; blocks: readonly SheetBlock[] }): VNode {
  return (
    <>
      {blocks.map((block, index) => (
        <Block key={`${block.kind}${index}`} block={block} name={`${id}.${block.kind}${index}`} {...folding} />
      ))}
    </>
  );
}

function Block({ block, name, unfolded, toggle, act }: FoldingProps & { block: SheetBlock; name: string }): VNode {
  switch (block.kind) {
    case 'facts':
      return (
        <dl class="facts">
          {block.rows.map(row => (
            <div key={row.name} class="fact">
              <dt class="faint">{row.name}</dt>
              <dd>
                {row.value} <Links links={row.links} act={act} />
              </dd>
            </div>
          ))}
        </dl>
      );
    case 'choices':
      return <Choices block={block} act={act} />;
    case 'prices':
      return <Prices block={block} isOpen={unfolded.has(name)} onOpen={isOpen => toggle(name, isOpen)} act={act} />;
    case 'table':
      return <Table table={block} isWhole={unfolded.has(name)} onWhole={isWhole => toggle(name, isWhole)} />;
    case 'list':
      return <List list={block} isWhole={unfolded.has(name)} onWhole={isWhole => toggle(name, isWhole)} act={act} />;
    case 'note':
      return (
        <p class={`note tone-${block.tone}`}>
          <ToneIcon tone={block.tone} />
          <span>
            {block.text} <Links links={block.links} act={act} />
          </span>
        </p>
      );
    case 'acts':
      return <Links links={block.links} act={act} look={block.isMain === true ? 'primary' : 'secondary'} />;
    case 'fold':
      return (
        <details class="fold" open={unfolded.has(name)} onToggle={event => toggle(name, event.currentTarget.open)}>
          <summary>{block.title}</summary>
          <ul>
            {block.lines.map(line => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      );
  }
}

interface ListProps {
  readonly list: Extract<SheetBlock, { readonly kind: 'list' }>;
  readonly isWhole: boolean;
  readonly onWhole: (isWhole: boolean) => void;
  readonly act: (act: SheetAct) => void;
}

function List({ list: { items, folded }, isWhole, onWhole, act }: ListProps): VNode {
  return (
    <>
      <ul class="list">
        {items.slice(0, isWhole ? items.length : folded?.shown).map((item, index) => (
          <Item key={index} item={item} act={act} />
        ))}
      </ul>
      {folded === undefined ? null : (
        <Button look="link" isExpanded={isWhole} onClick={() => onWhole(!isWhole)}>
          {isWhole ? folded.fewer : folded.more}
        </Button>
      )}
    </>
  );
}

function Item({ item, act }: { item: SheetItem; act: (act: SheetAct) => void }): VNode {
  const { links = [], check } = item;
  const textId = useId();
  // Links to a location or change are beside their text, all others below.
  const isBeside = ({ act: { type } }: SheetLink) => type === 'openPlace' || type === 'changeCause';
  return (
    <li class={`item tone-${item.tone}`}>
      {check === undefined ? (
        <ToneIcon tone={item.tone} />
      ) : (
        <input
          type="checkbox"
          aria-labelledby={textId}
          checked={check.isChosen}
          disabled={check.isDisabled}
          onChange={event => act({ type: 'chooseCause', cause: check.cause, isChosen: event.currentTarget.checked })}
        />
      )}
      <div>
        <div class="itemText">
          <span id={textId}>{item.text}</span>
          <Links links={links.filter(isBeside)} act={act} />
        </div>
        {item.samples === undefined || item.samples.length === 0 ? null : (
          <div class="samples">
            {item.samples.map((sample, index) => (
              <code key={index}>{sample}</code>
            ))}
          </div>
        )}
        {item.detail === undefined ? null : <div class="faint">{item.detail}</div>}
        <Links links={links.filter(link => !isBeside(link))} act={act} />
      </div>
    </li>
  );
}
