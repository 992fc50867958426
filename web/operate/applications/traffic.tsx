import '@mantine/charts/styles.layer.css';
import { BarChart } from '@mantine/charts';
import type { OperatedEndpoint } from '#contract/operate/applications.ts';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { clockTime } from '../../ui/times.ts';

/** Hourly requests and deliveries. A separate chunk: see application.tsx. */
export default function Traffic({ hours }: { hours: OperatedEndpoint['hours'] }) {
  const t = useTexts();
  const requests = hours.reduce((sum, hour) => sum + hour.requests, 0);
  const deliveries = hours.reduce((sum, hour) => sum + hour.deliveries, 0);
  return (
    <BarChart
      h={200}
      data={hours.map((hour) => ({ ...hour, at: clockTime(hour.startedAt) }))}
      dataKey="at"
      withLegend
      role="img"
      aria-label={t('operate.application.trafficAlt', {
        requests: formatNumber(requests),
        deliveries: formatNumber(deliveries),
      })}
      series={[
        { name: 'requests', label: t('operate.application.requestsShort'), color: 'parley.6' },
        { name: 'errors', label: t('operate.application.errorsShort'), color: 'red.6' },
        { name: 'deliveries', label: t('operate.application.deliveriesShort'), color: 'teal.6' },
        { name: 'failedDeliveries', label: t('operate.application.failedShort'), color: 'orange.6' },
      ]}
    />
  );
}
