import classes from './viewer.module.css';

/** One bar for each element; that of the current one fills and signals its end. */
export function Progress({
  count,
  index,
  isHeld,
  isTimed,
  onEnd,
}: {
  count: number;
  index: number;
  isHeld: boolean;
  /** Videos are not timed: they have their own duration. */
  isTimed: boolean;
  onEnd: () => void;
}) {
  return (
    <div className={classes.progress} aria-hidden="true">
      {Array.from({ length: count }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike and never move.
        <span key={i} className={classes.bar} data-done={i < index || undefined}>
          {i === index && (
            <span
              key={index}
              className={isTimed ? classes.filling : classes.full}
              style={{ animationPlayState: isHeld ? 'paused' : 'running' }}
              onAnimationEnd={onEnd}
            />
          )}
        </span>
      ))}
    </div>
  );
}
