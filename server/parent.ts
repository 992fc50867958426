import process from 'node:process';

const CHECK_MS = 250;

/** npm passes signals on to its shell only, and that does not pass them on: the shell's end is then the signal. */
export function whenParentEnds(stop: () => void): void {
  const parent = process.ppid;
  const checking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(checking);
    stop();
  }, CHECK_MS).unref();
}
