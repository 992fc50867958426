import { SegmentedControl, Stack, TextInput } from '@mantine/core';
import Database from 'emoji-picker-element/database';
import type { Emoji, SkinTone } from 'emoji-picker-element/shared';
import germanData from 'emoji-picker-element-data/de/cldr/data.json?url';
import englishData from 'emoji-picker-element-data/en/cldr/data.json?url';
import { useEffect, useState } from 'react';
import type { Translate } from '#contract/texts.ts';
import { language, useTexts } from '../../ui/texts.ts';
import classes from './reactions.module.css';

/** By emojibase's numbers. */
const GROUPS = [0, 1, 3, 4, 5, 6, 7, 8, 9] as const;
const TONES = ['🖐', '🖐🏻', '🖐🏼', '🖐🏽', '🖐🏾', '🖐🏿'];
const MOST_RECENT = 16;

/** The emoji with their names, from this server, stored in the browser: searching them needs no network. */
const databases = new Map<string, Database>();

function openDatabase(): Database {
  const locale = language();
  const open =
    databases.get(locale) ?? new Database({ locale, dataSource: locale === 'de' ? germanData : englishData });
  databases.set(locale, open);
  return open;
}

interface Section {
  title: string;
  emoji: Emoji[];
}

/** All emoji, the most recently used first, with search and skin tones. */
export default function EmojiPicker({ onChoose }: { onChoose: (emoji: string) => void }) {
  const t = useTexts();
  const [typed, setTyped] = useState('');
  const [chosenTone, setTone] = useState<SkinTone>();
  const tone = chosenTone ?? 0;
  const [sections, setSections] = useState<Section[]>([]);
  useEffect(() => {
    void openDatabase()
      .getPreferredSkinTone()
      .then((preferred) => setTone((chosen) => chosen ?? preferred));
  }, []);
  useEffect(() => {
    let isWanted = true;
    void readSections(openDatabase(), typed.trim(), t).then((found) => {
      if (isWanted) setSections(found);
    });
    return () => {
      isWanted = false;
    };
  }, [typed, t]);
  const choose = (emoji: Emoji) => {
    // With any skin tone, it is the same emoji.
    void openDatabase().incrementFavoriteEmojiCount(emojiOf(emoji, 0));
    onChoose(emojiOf(emoji, tone));
  };
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        aria-label={t('chat.reaction.search')}
        placeholder={t('chat.reaction.search')}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        autoFocus
        data-autofocus
      />
      <SegmentedControl
        size="xs"
        aria-label={t('chat.reaction.tone')}
        value={String(tone)}
        onChange={(chosen) => {
          const next = Number(chosen) as SkinTone;
          setTone(next);
          void openDatabase().setPreferredSkinTone(next);
        }}
        data={TONES.map((label, value) => ({ label, value: String(value) }))}
      />
      <section
        className={classes.picker}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard.
        tabIndex={0}
        aria-label={t('chat.reaction.emoji')}
      >
        {sections.map(({ title, emoji }, index) => (
          <div key={title} className={index > 1 ? classes.later : undefined}>
            <h2 className={classes.group}>{title}</h2>
            <div className={classes.grid}>
              {emoji.map((one) => {
                const shown = emojiOf(one, tone);
                const name = 'annotation' in one ? one.annotation : shown;
                return (
                  <button
                    key={emojiOf(one, 0)}
                    type="button"
                    className={classes.emoji}
                    aria-label={name}
                    title={name}
                    onClick={() => choose(one)}
                  >
                    {shown}
                  </button>
                );
              })}
            </div>
          </div>
        ))}
      </section>
      <div className="visually-hidden" role="status">
        {typed.trim() !== '' && sections[0]?.title}
      </div>
    </Stack>
  );
}

async function readSections(database: Database, typed: string, t: Translate): Promise<Section[]> {
  if (typed !== '') {
    const emoji = await database.getEmojiBySearchQuery(typed);
    const { length: count } = emoji;
    return [
      { title: count === 0 ? t('chat.reaction.nothingFound') : t('chat.reaction.found', { count }), emoji },
    ];
  }
  const recent = await database.getTopFavoriteEmoji(MOST_RECENT);
  const groups = await Promise.all(
    GROUPS.map(async (group) => ({
      title: t(`chat.reaction.group${group}`),
      emoji: await database.getEmojiByGroup(group),
    })),
  );
  return recent.length > 0 ? [{ title: t('chat.reaction.recent'), emoji: recent }, ...groups] : groups;
}

function emojiOf(emoji: Emoji, tone: SkinTone): string {
  if (!('unicode' in emoji)) return emoji.name;
  const toned = 'skins' in emoji ? emoji.skins?.find((skin) => skin.tone === tone) : undefined;
  return toned?.unicode ?? emoji.unicode;
}
