import { Progress } from '@mantine/core';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { useTexts } from '../../ui/texts.ts';

const WIDTH = 120;
const HEIGHT = 28;
const COLOURS = {
  good: 'light-dark(var(--mantine-color-parley-6), var(--mantine-color-parley-4))',
  bad: 'light-dark(var(--mantine-color-red-7), var(--mantine-color-red-5))',
  none: 'light-dark(var(--mantine-color-gray-4), var(--mantine-color-dark-3))',
};

/** Bars of the last 24 hours, with the failed part of each in red. Decorative: the text beside it has the totals. */
export function Sparkline({ bars, label }: { bars: { total: number; failed: number }[]; label: string }) {
  const most = Math.max(1, ...bars.map(({ total }) => total));
  const step = WIDTH / bars.length;
  return (
    <svg
      style={{ display: 'block', width: '100%', height: HEIGHT }}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      {bars.map(({ total, failed }, hour) => {
        const height = total === 0 ? 1 : Math.max(2, (total / most) * HEIGHT);
        const bad = total === 0 ? 0 : (failed / total) * height;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: an hour is identified only by its position.
          <g key={hour}>
            <rect
              fill={total === 0 ? COLOURS.none : COLOURS.good}
              x={hour * step}
              y={HEIGHT - height}
              width={step - 1}
              height={height - bad}
            />
            {bad > 0 && (
              <rect fill={COLOURS.bad} x={hour * step} y={HEIGHT - bad} width={step - 1} height={bad} />
            )}
          </g>
        );
      })}
    </svg>
  );
}

/** How much of a quota is used in this minute. */
export function QuotaBar({ used, limit }: { used: number; limit: number }) {
  const t = useTexts();
  const words = t('console.usage.used', { used, limit });
  return (
    <>
      <Progress value={(used / limit) * 100} color={used >= limit ? 'red' : 'parley'} aria-label={words} />
      <Dimmed size="xs">{words}</Dimmed>
    </>
  );
}
