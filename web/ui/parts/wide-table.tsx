import { Table, type TableProps } from '@mantine/core';

/** A table that scrolls sideways by itself where it does not fit, for the keyboard, too. */
export function WideTable({ label, minWidth, ...table }: TableProps & { label: string; minWidth: number }) {
  return (
    <Table.ScrollContainer minWidth={minWidth} type="native" tabIndex={0} role="region" aria-label={label}>
      <Table {...table} />
    </Table.ScrollContainer>
  );
}
