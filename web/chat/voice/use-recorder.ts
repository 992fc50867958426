import { useCallback, useEffect, useRef, useState } from 'react';
import { Recorder } from './recorder.ts';

/** How many of the newest levels are drawn. */
export const SHOWN = 60;

export type RecorderState = 'asking' | 'recording' | 'refused' | 'missing';

/** Records from mount until unmount or `finish`. */
export function useRecorder() {
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
      recorder.current?.[Symbol.dispose]();
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
