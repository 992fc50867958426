import { ActionIcon, Button, Group, Text } from '@mantine/core';
import { IconSend2, IconTrash } from '@tabler/icons-react';
import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTexts } from '../../ui/texts.ts';
import { clockLength } from '../media/length.ts';
import type { Unsent } from '../outbox/store.ts';
import { levelOf, waveformOf } from './loudness.ts';
import classes from './record.module.css';

/**
 * The format that bots expect by the contract (M4A) first, then the one that every browser except Safari
 * records.
 */
const FORMATS = [
  { type: 'audio/mp4;codecs=mp4a.40.2', ending: 'm4a' },
  { type: 'audio/webm;codecs=opus', ending: 'webm' },
  { type: 'audio/mp4', ending: 'm4a' },
  { type: 'audio/ogg;codecs=opus', ending: 'ogg' },
];
/** Enough for speech; an hour stays below the size limit of an audio file. */
const BITS_PER_SECOND = 32_000;
const LONGEST_MS = 60 * 60_000;
const LEVEL_EVERY_MS = 50;

/** A recording from the microphone, started when the person grants access. */
class Recorder {
  /** The level, every 50 ms. */
  readonly levels: number[] = [];
  readonly #stream: MediaStream;
  readonly #context = new AudioContext();
  readonly #recorder: MediaRecorder;
  readonly #chunks: Blob[] = [];
  readonly #format: (typeof FORMATS)[number];
  readonly #listening: ReturnType<typeof setInterval>;
  readonly #startedAt = performance.now();
  #stoppedAt: number | undefined;
  readonly #stopped: Promise<void>;

  /** @param onLevel called with each new level */
  constructor(stream: MediaStream, onLevel: () => void) {
    this.#stream = stream;
    const format = FORMATS.find(({ type }) => MediaRecorder.isTypeSupported(type));
    if (!format) throw new DOMException('no known format', 'NotSupportedError');
    this.#format = format;
    this.#recorder = new MediaRecorder(stream, {
      mimeType: format.type,
      audioBitsPerSecond: BITS_PER_SECOND,
    });
    this.#recorder.ondataavailable = ({ data }) => this.#chunks.push(data);
    // Also by itself, when the microphone is unplugged: what was recorded until then is kept.
    this.#stopped = new Promise((resolve) => {
      this.#recorder.onstop = () => {
        this.#stoppedAt = performance.now();
        clearInterval(this.#listening);
        resolve();
      };
    });
    const analyser = this.#context.createAnalyser();
    this.#context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    this.#listening = setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      this.levels.push(levelOf(samples));
      onLevel();
    }, LEVEL_EVERY_MS);
    this.#recorder.start();
  }

  get durationMs(): number {
    return Math.round((this.#stoppedAt ?? performance.now()) - this.#startedAt);
  }

  /** Stops the recording and returns it. */
  async finish(): Promise<{ file: File; durationMs: number }> {
    const { durationMs } = this;
    if (this.#recorder.state !== 'inactive') this.#recorder.stop();
    await this.#stopped;
    this.close();
    const { type, ending } = this.#format;
    const file = new File(this.#chunks, `voice.${ending}`, { type: type.split(';', 1)[0] ?? type });
    return { file, durationMs };
  }

  /** Releases the microphone; an unfinished recording is discarded. */
  close(): void {
    clearInterval(this.#listening);
    if (this.#recorder.state !== 'inactive') this.#recorder.stop();
    for (const track of this.#stream.getTracks()) track.stop();
    void this.#context.close().catch(() => undefined);
  }
}

/** How many of the newest levels are drawn. */
const SHOWN = 60;

type RecorderState = 'asking' | 'recording' | 'refused' | 'missing';

/** Records from mount until unmount or `finish`. */
function useRecorder() {
  const recorder = useRef<Recorder>(undefined);
  const [state, setState] = useState<RecorderState>('asking');
  const [recorded, setRecorded] = useState({ durationMs: 0, levels: [] as readonly number[] });
  useEffect(() => {
    let isGone = false;
    const open = async () => {
      try {
        const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
        if (isGone) {
          for (const track of stream.getTracks()) track.stop();
          return;
        }
        const made = new Recorder(stream, () => {
          setRecorded({ durationMs: made.durationMs, levels: made.levels.slice(-SHOWN) });
        });
        recorder.current = made;
        setState('recording');
      } catch (error) {
        const isRefused = error instanceof DOMException && error.name === 'NotAllowedError';
        if (!isGone) setState(isRefused ? 'refused' : 'missing');
      }
    };
    void open();
    return () => {
      isGone = true;
      recorder.current?.close();
      recorder.current = undefined;
    };
  }, []);
  const finish = useCallback(async () => {
    const made = recorder.current;
    // `finish` may be called more than once.
    recorder.current = undefined;
    return made && { ...(await made.finish()), levels: made.levels };
  }, []);
  return { state, ...recorded, finish };
}

/** Shorter recordings are accidental taps. */
const SHORTEST_MS = 500;

/** Shown in place of the field while recording. Enter sends, Escape discards. */
export default function RecordVoice({
  onSend,
  onClose,
}: {
  onSend: (content: Unsent['content'], options: { file: File }) => void;
  onClose: () => void;
}) {
  const t = useTexts();
  const { state, durationMs, levels, finish } = useRecorder();
  const send = async () => {
    const recording = await finish();
    onClose();
    if (!recording || recording.durationMs < SHORTEST_MS) return;
    const { file, levels, durationMs } = recording;
    onSend({ type: 'audio', fileDetails: { durationMs, waveform: waveformOf(levels) } }, { file });
  };
  const sendAtLimit = useEffectEvent(send);
  const isLongest = durationMs >= LONGEST_MS;
  useEffect(() => {
    if (isLongest) void sendAtLimit();
  }, [isLongest]);
  if (state === 'refused' || state === 'missing') {
    return (
      <Group gap={8} mih={42} wrap="nowrap" role="alert">
        <Text size="sm" flex={1}>
          {state === 'refused' ? t('chat.voice.refused') : t('chat.voice.missing')}
        </Text>
        <Button variant="default" size="compact-md" autoFocus onClick={onClose}>
          {t('chat.voice.close')}
        </Button>
      </Group>
    );
  }
  return (
    <Group
      gap={8}
      mih={42}
      wrap="nowrap"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <ActionIcon color="red" size={42} radius="xl" aria-label={t('chat.voice.discard')} onClick={onClose}>
        <IconTrash size={20} />
      </ActionIcon>
      <span className={classes.dot} data-on={state === 'recording' || undefined} />
      <span role="timer" aria-label={t('chat.voice.recording')} className={classes.time}>
        {clockLength(durationMs)}
      </span>
      <svg
        viewBox={`0 0 ${SHOWN * 4} 32`}
        preserveAspectRatio="xMaxYMid slice"
        className={classes.levels}
        aria-hidden="true"
      >
        <path d={barsOf(levels)} />
      </svg>
      <ActionIcon
        variant="filled"
        color="parley"
        size={42}
        radius="xl"
        aria-label={t('chat.voice.send')}
        autoFocus
        disabled={state !== 'recording'}
        key={state}
        onClick={send}
      >
        <IconSend2 size={20} />
      </ActionIcon>
    </Group>
  );
}

/** The levels, the newest at the right, relative to the loudest of them. */
function barsOf(levels: readonly number[]): string {
  const loudest = Math.max(...levels, 0.05);
  return levels
    .map((level, i) => {
      const half = 1 + (level / loudest) * 14;
      return `M${(SHOWN - levels.length + i) * 4 + 1} ${16 - half}v${2 * half}`;
    })
    .join('');
}
