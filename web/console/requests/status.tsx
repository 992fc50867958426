import { Badge } from '@mantine/core';

/** An HTTP status, coloured by its class. */
export function Status({ status }: { status: number }) {
  const colour = status < 400 ? 'teal' : status < 500 ? 'yellow' : 'red';
  return (
    <Badge variant="dot" color={colour} fw={500}>
      {status}
    </Badge>
  );
}
