import process from 'node:process';

const CHECK_MS = 250;

/** npm passes signals only to its shell, which does not forward them; the shell's exit serves as the signal instead. */
export function whenParentEnds(stop: () => void): void {
  const parent = process.ppid;
  const checking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(checking);
    stop();
  }, CHECK_MS).unref();
}
