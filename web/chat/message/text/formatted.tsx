import { ActionIcon } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import type { Block, Inline, Item } from '#contract/formatting.ts';
import { tell } from '../../../ui/parts/faults.tsx';
import { mayCopy } from '../../../ui/secure-context.ts';
import { OUTWARD, shownUrl } from '../../../ui/shown-url.ts';
import { useTexts } from '../../../ui/texts.ts';
import classes from './formatted.module.css';
import { leadsElsewhere } from './parse.ts';

/** Renders text without marks, with its URLs, mentions and commands. */
type ShowText = (text: string) => ReactNode;

/** The parts of a text; their order is fixed, so the index is the key. */
export function Blocks({ blocks, show }: { blocks: readonly Block[]; show: ShowText }) {
  const [only] = blocks;
  if (blocks.length === 1 && only?.kind === 'text') return <Inlines inlines={only.children} show={show} />;
  return blocks.map((block, i) => {
    const key = i;
    switch (block.kind) {
      case 'text':
        return (
          <div key={key}>
            <Inlines inlines={block.children} show={show} />
          </div>
        );
      case 'code':
        return <Code key={key} {...block} />;
      case 'quote':
        return (
          <blockquote key={key} className={classes.quote}>
            <Blocks blocks={block.blocks} show={show} />
          </blockquote>
        );
      case 'list':
        return <List key={key} {...block} show={show} />;
      default:
        return block satisfies never;
    }
  });
}

function List({ isNumbered, items, show }: { isNumbered: boolean; items: readonly Item[]; show: ShowText }) {
  const Tag = isNumbered ? 'ol' : 'ul';
  return (
    <Tag className={classes.list}>
      {items.map(({ number, blocks }, i) => {
        const key = i;
        return (
          <li key={key} value={number}>
            <Blocks blocks={blocks} show={show} />
          </li>
        );
      })}
    </Tag>
  );
}

function Inlines({ inlines, show }: { inlines: readonly Inline[]; show: ShowText }): ReactNode {
  return inlines.map((inline, i) => {
    const key = i;
    if (!('children' in inline)) {
      return inline.kind === 'code' ? (
        <code key={key} className={classes.code}>
          {inline.text}
        </code>
      ) : (
        <Fragment key={key}>{show(inline.text)}</Fragment>
      );
    }
    if (inline.kind === 'link') return <NamedLink key={key} {...inline} />;
    const Tag = inline.kind;
    return (
      <Tag key={key}>
        <Inlines inlines={inline.children} show={show} />
      </Tag>
    );
  });
}

/** A link with a label chosen by the sender; the URL is added if the label looks like a different one. */
function NamedLink({ href, children }: { href: string; children: Inline[] }) {
  const address = shownUrl(href);
  return (
    <a href={href} title={address} {...OUTWARD}>
      <Inlines inlines={children} show={(text) => text} />
      {leadsElsewhere(children.map(wordsOf).join(''), href) && ` (${address})`}
    </a>
  );
}

function wordsOf(inline: Inline): string {
  return 'children' in inline ? inline.children.map(wordsOf).join('') : inline.text;
}

function Code({ language, text }: { language: string; text: string }) {
  const t = useTexts();
  return (
    <div className={classes.block} data-nameless={!language || undefined} dir="ltr">
      <div className={classes.about}>
        {language && <span>{language}</span>}
        {mayCopy && (
          <ActionIcon
            size="sm"
            aria-label={t('chat.message.copyCode')}
            onClick={() => navigator.clipboard.writeText(text).then(() => tell(t('ui.common.copied')))}
          >
            <IconCopy size={14} />
          </ActionIcon>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard. */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  );
}
