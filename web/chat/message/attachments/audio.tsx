import { ActionIcon, Button } from '@mantine/core';
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import type { FileDetails } from '#contract/messages.ts';
import { useTexts } from '../../../ui/texts.ts';
import { clockLength } from '../../media/length.ts';
import classes from './audio.module.css';
import { fileNameOf } from './file-name.ts';
import { FileLink } from './media.tsx';

const SPEEDS = [1, 1.5, 2];
const STEP_SECONDS = 5;
/** Drawn if there is no waveform. */
const EVEN = Array.from({ length: 56 }, () => 12);

/** The recording being played: starting another one pauses it. */
let playing: HTMLAudioElement | undefined;

/** An audio player with duration and speed; a voice message with its waveform, other files with their name. */
export function AudioBody({ fileUrl, details = {} }: { fileUrl: string; details?: FileDetails | undefined }) {
  const t = useTexts();
  const audio = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [position, setPosition] = useState(0);
  const [mediaSeconds, setMediaSeconds] = useState<number>();
  const [speed, setSpeed] = useState(1);
  const [isBroken, setBroken] = useState(false);
  const { durationMs, waveform } = details;
  const length = durationMs === undefined ? mediaSeconds : durationMs / 1000;
  const shown = length ? Math.min(1, position / length) : 0;
  const isVoice = waveform !== undefined;
  useEffect(
    () => () => {
      if (playing === audio.current) playing = undefined;
    },
    [],
  );

  const toggle = () => {
    const { current } = audio;
    if (!current) return;
    if (isPlaying) return current.pause();
    if (isBroken) current.load();
    setBroken(false);
    current.playbackRate = speed;
    current.play().catch(() => setPlaying(false));
  };
  const moveTo = (seconds: number) => {
    const { current } = audio;
    if (!current || length === undefined) return;
    current.currentTime = Math.max(0, Math.min(seconds, length));
    setPosition(current.currentTime);
  };
  const changeSpeed = () => {
    const next = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length] ?? 1;
    setSpeed(next);
    if (audio.current) audio.current.playbackRate = next;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = {
      ArrowLeft: position - STEP_SECONDS,
      ArrowRight: position + STEP_SECONDS,
      Home: 0,
      End: length,
    };
    const wanted = to[event.key as keyof typeof to];
    if (wanted === undefined) return;
    event.preventDefault();
    moveTo(wanted);
  };
  const onPointerDown = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    moveTo(((clientX - left) / width) * (length ?? 0));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div
      className={classes.player}
      role="group"
      aria-label={isVoice ? t('chat.message.voice') : t('chat.message.audio')}
    >
      {/* biome-ignore lint/a11y/useMediaCaption: people's uploads have no captions. */}
      <audio
        ref={audio}
        src={fileUrl}
        // Live recordings do not contain their duration; other files have it in their first bytes.
        preload={durationMs === undefined ? 'metadata' : 'none'}
        onLoadedMetadata={({ currentTarget: { duration } }) =>
          setMediaSeconds(Number.isFinite(duration) ? duration : undefined)
        }
        onTimeUpdate={({ currentTarget }) => setPosition(currentTarget.currentTime)}
        onPlay={({ currentTarget }) => {
          if (playing !== currentTarget) playing?.pause();
          playing = currentTarget;
          setPlaying(true);
        }}
        onPause={() => setPlaying(false)}
        onEnded={() => setPosition(0)}
        onError={() => setBroken(true)}
      />
      <ActionIcon
        variant="filled"
        color="parley"
        size={40}
        radius="xl"
        aria-label={isPlaying ? t('chat.message.pause') : t('chat.message.play')}
        onClick={toggle}
      >
        {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
      </ActionIcon>
      <div style={{ flex: 1, minWidth: 0 }}>
        {!isVoice && <span className={classes.name}>{fileNameOf(fileUrl)}</span>}
        <div
          className={classes.track}
          role="slider"
          tabIndex={0}
          aria-label={t('chat.message.position')}
          aria-valuemin={0}
          aria-valuemax={Math.round(length ?? 0)}
          aria-valuenow={Math.round(position)}
          aria-valuetext={clockLength(position * 1000)}
          onKeyDown={onKeyDown}
          onPointerDown={onPointerDown}
        >
          <Bars heights={waveform && waveform.length > 0 ? waveform : EVEN} />
          <div className={classes.played} style={{ clipPath: `inset(0 ${100 - shown * 100}% 0 0)` }}>
            <Bars heights={waveform && waveform.length > 0 ? waveform : EVEN} />
          </div>
        </div>
        <span className={classes.time}>
          {isBroken ? (
            <>
              {t('chat.message.cannotPlay')} · <FileLink fileUrl={fileUrl} />
            </>
          ) : isPlaying || position > 0 ? (
            `${clockLength(position * 1000)} / ${length === undefined ? '–' : clockLength(length * 1000)}`
          ) : (
            length !== undefined && clockLength(length * 1000)
          )}
        </span>
      </div>
      <Button
        variant="default"
        size="compact-xs"
        radius="xl"
        aria-label={t('chat.message.speed', { speed })}
        onClick={changeSpeed}
      >
        {speed}×
      </Button>
    </div>
  );
}

/** One path for all bars, to keep the page small: there may be many voice messages. */
function Bars({ heights }: { heights: readonly number[] }) {
  const path = heights.map((height, i) => {
    const half = 1 + height * 0.13;
    return `M${i * 4 + 1} ${15 - half}v${2 * half}`;
  });
  return (
    <svg viewBox={`0 0 ${heights.length * 4} 30`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path.join('')} />
    </svg>
  );
}
