const NOTES = [
  { frequency: 660, startsAfter: 0 },
  { frequency: 880, startsAfter: 0.09 },
] as const;
const SECONDS = 0.25;
const LOUDNESS = 0.08;

let context: AudioContext | undefined;

/** Plays two short synthesised notes; if several pages are open, only one plays them. */
export function playSound(): void {
  void navigator.locks?.request('parley-sound', { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    play();
    await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
  });
}

/** Browsers block sound until the first click on the page. */
function play(): void {
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume().catch(() => undefined);
  for (const { frequency, startsAfter } of NOTES) {
    const [note, volume] = [context.createOscillator(), context.createGain()];
    const start = context.currentTime + startsAfter;
    note.frequency.value = frequency;
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + SECONDS);
    note.connect(volume).connect(context.destination);
    note.start(start);
    note.stop(start + SECONDS);
  }
}
