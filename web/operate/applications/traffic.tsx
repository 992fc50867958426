import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { OperatedEndpoint } from '#contract/operate/applications.ts';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { clockTime } from '../../ui/times.ts';
import { applicationTexts } from './texts.ts';

/** Hourly requests and deliveries. A separate chunk: see endpoint.tsx. */
export default function Traffic({ hours }: { hours: OperatedEndpoint['hours'] }) {
  const t = useTexts(applicationTexts);
  const requests = hours.reduce((sum, hour) => sum + hour.requests, 0);
  const deliveries = hours.reduce((sum, hour) => sum + hour.deliveries, 0);
  return (
    <BarChart
      h={200}
      data={hours.map((hour) => ({ ...hour, at: clockTime(hour.startedAt) }))}
      dataKey="at"
      withLegend
      role="img"
      aria-label={t.trafficAlt(formatNumber(requests), formatNumber(deliveries))}
      series={[
        { name: 'requests', label: t.requestsShort, color: 'parley.6' },
        { name: 'errors', label: t.errorsShort, color: 'red.6' },
        { name: 'deliveries', label: t.deliveriesShort, color: 'teal.6' },
        { name: 'failedDeliveries', label: t.failedShort, color: 'orange.6' },
      ]}
    />
  );
}
