import type { Token } from 'markdown-it';
import { type ComponentChild, Fragment, h, type VNode } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { toNumber } from '../../../shared/formats';
import { countLineEnds } from '../../../shared/text';
import { Button } from '../button';
import { languageOfFence } from '../code/codeLanguage';
import { CodeText } from '../code/codeText';
import { Panel } from '../panelContext';
import { LongText } from '../text/longText';
import { visible } from '../text/visibleText';
import './markdown.css';
import { isWebAddress, readMarkdown } from './markdownTokens';

/** Number of blocks that a longer text shows first. The rest is shown on request. */
const firstNodes = 250;
const maxNodes = 5000;

const blockTags = new Set([
  ...['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ...['em', 'strong', 's'],
]);

/**
 * Renders text as Markdown. Only web addresses are active. The host checks and opens them. Raw HTML is text, other link targets are written
 * out, images are named and not loaded, and hidden characters are shown by name. Very long text is shown as plain text.
 */
export function Markdown({ text }: { text: string }): VNode {
  const { t, locale } = useContext(Panel);
  const [isWhole, showWhole] = useState(false);
  const tokens = useMemo(() => readMarkdown(text), [text]);
  const walk = useMemo(() => {
    const budget: Budget = { left: isWhole ? maxNodes : firstNodes, heading: 1, line: 0 };
    return tokens === undefined ? undefined : { children: toChildren(tokens, budget), isCut: budget.left <= 0, line: budget.line };
  }, [tokens, isWhole]);
  if (walk === undefined || (walk.isCut && isWhole)) {
    return <LongText text={text} isProse />;
  }
  return (
    <div class="markdown">
      {walk.children}
      {walk.isCut ? (
        <Button kind="link" onClick={() => showWhole(true)}>
          {restWords(countLineEnds(text) - walk.line)}
        </Button>
      ) : null}
    </div>
  );
  function restWords(lines: number): string {
    if (lines === 1) {
      return t('Show the rest (1 more line)');
    }
    return lines > 0 ? t('Show the rest ({0} more lines)', toNumber(lines, locale)) : t('Show the rest');
  }
}

interface Level {
  readonly token: Token | undefined;
  readonly children: ComponentChild[];
}

/** Number of nodes still to create, level of the last heading (no level may be skipped), and last line reached. */
interface Budget {
  left: number;
  heading: number;
  line: number;
}

/** Converts tokens to nodes until the budget is used up, then closes all open nodes. */
function toChildren(tokens: readonly Token[], budget: Budget): ComponentChild[] {
  const top: Level = { token: undefined, children: [] };
  const open: Level[] = [top];
  const close = (): void => {
    const level = open.pop();
    if (level?.token !== undefined) {
      open.at(-1)?.children.push(toElement(level.token, level.children, budget));
    }
  };
  for (const token of tokens) {
    if (budget.left <= 0) {
      break;
    }
    budget.line = Math.max(budget.line, token.map?.[0] ?? 0);
    if (token.nesting === 1) {
      budget.left--;
      open.push({ token, children: [] });
    } else if (token.nesting === -1) {
      if (open.length > 1) {
        close();
      }
    } else {
      open.at(-1)?.children.push(toLeaf(token, budget));
    }
  }
  while (open.length > 1) {
    close();
  }
  return top.children;
}

function toElement(token: Token, children: ComponentChild[], budget: Budget): ComponentChild {
  if (token.type === 'link_open') {
    return <Link target={attribute(token, 'href')}>{children}</Link>;
  }
  if (token.hidden || !blockTags.has(token.tag)) {
    return <Fragment>{children}</Fragment>;
  }
  if (token.tag === 'ol') {
    const start = Number(attribute(token, 'start') || '1');
    return <ol start={Number.isFinite(start) ? start : 1}>{children}</ol>;
  }
  if (token.tag === 'td' || token.tag === 'th') {
    const align = /text-align:(center|right)/.exec(attribute(token, 'style'))?.[1];
    return h(token.tag, align === undefined ? null : { class: `align-${align}` }, children);
  }
  const heading = /^h([1-6])$/.exec(token.tag);
  if (heading === null) {
    return h(token.tag, null, children);
  }
  // Only the page's title has level 1.
  budget.heading = Math.min(6, Number(heading[1]) + 1, budget.heading + 1);
  return h(`h${budget.heading}`, { class: `heading heading-${token.tag}` }, children);
}

function toLeaf(token: Token, budget: Budget): ComponentChild {
  budget.left--;
  switch (token.type) {
    case 'inline':
      return <Fragment>{toChildren(token.children ?? [], budget)}</Fragment>;
    case 'fence':
    case 'code_block':
      return <CodeText text={token.content.replace(/\n$/, '')} language={languageOfFence(token.info)} />;
    case 'code_inline':
      return <code>{visible(token.content)}</code>;
    case 'image':
      return <ImageName alt={token.content} target={attribute(token, 'src')} />;
    case 'softbreak':
    case 'hardbreak':
      return <br />;
    case 'hr':
      return <hr />;
    default:
      return visible(token.content);
  }
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}

/** A link. The host opens web addresses. Any other target is written out after the text. */
function Link({ target, children }: { target: string; children: ComponentChild[] }): VNode {
  const { post, t } = useContext(Panel);
  if (!isWebAddress(target)) {
    return (
      <span class="faint" title={t('Only https links can be opened.')}>
        {children} <code>({visible(target)})</code>
      </span>
    );
  }
  const open = (): void => post({ type: 'openLink', href: target });
  return (
    // Not an anchor with an address: VS Code would open it before the host has asked.
    // biome-ignore lint/a11y/useSemanticElements: see above
    <span
      role="link"
      tabIndex={0}
      class="link"
      title={target}
      data-target={target}
      onClick={open}
      onKeyDown={event => {
        if (event.key === 'Enter') {
          event.stopPropagation();
          open();
        }
      }}
    >
      {children}
    </span>
  );
}

function ImageName({ alt, target }: { alt: string; target: string }): VNode {
  const { t } = useContext(Panel);
  const shown = target.length > 200 ? `${target.slice(0, 200)}…` : target;
  return (
    <span class="imageName faint" title={t("Images from other sites aren't loaded.")}>
      [{t('image')}: {visible(alt)}] {visible(shown)}
    </span>
  );
}
