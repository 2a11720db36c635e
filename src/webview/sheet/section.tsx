import type { VNode } from 'preact';
import type { SheetAct, SheetBlock, SheetItem, SheetLink, SheetSection } from '../../shared/sheet/sheetProtocol';
import { Button } from '../session/controls/button';
import { Links } from './links';
import { Table } from './sheetTable';
import { ToneIcon } from './toneIcon';

interface SectionProps {
  readonly section: SheetSection;
  readonly unfolded: ReadonlySet<string>;
  readonly toggle: (fold: string, isOpen: boolean) => void;
  readonly act: (act: SheetAct) => void;
}

/** One section under its heading. */
export function Section(props: SectionProps): VNode {
  const { id, title, blocks } = props.section;
  return (
    <section class="section" aria-labelledby={`title-${id}`}>
      <h2 id={`title-${id}`}>{title}</h2>
      {blocks.map((block, index) => (
        <Block key={`${block.kind}${index}`} block={block} name={`${id}.${index}`} {...props} />
      ))}
    </section>
  );
}

function Block({ block, name, unfolded, toggle, act }: SectionProps & { block: SheetBlock; name: string }): VNode {
  switch (block.kind) {
    case 'facts':
      return (
        <dl class="facts">
          {block.rows.map(row => (
            <div key={row.name} class="fact">
              <dt>{row.name}</dt>
              <dd>
                {row.value} <Links links={row.links} act={act} />
              </dd>
            </div>
          ))}
        </dl>
      );
    case 'lead':
      return (
        <p class="lead">
          <strong>{block.text}</strong> <span>{block.detail}</span>
        </p>
      );
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
  const { links = [] } = item;
  // Where to go stands beside what it is about, what to do below all of it.
  const isPlace = ({ act: { type } }: SheetLink) => type === 'openPlace';
  return (
    <li class={`item tone-${item.tone}`}>
      <ToneIcon tone={item.tone} />
      <div>
        <div class="itemText">
          <span>{item.text}</span>
          <Links links={links.filter(isPlace)} act={act} />
        </div>
        {item.samples === undefined || item.samples.length === 0 ? null : (
          <div class="samples">
            {item.samples.map((sample, index) => (
              <code key={index}>{sample}</code>
            ))}
          </div>
        )}
        {item.detail === undefined ? null : <div class="detail">{item.detail}</div>}
        <Links links={links.filter(link => !isPlace(link))} act={act} />
      </div>
    </li>
  );
}
