import { Table, type TableProps } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './wide-table.module.css';

/** The name of a column, right-aligned if numeric; empty for a row's buttons. */
type Column = string | { number: string };

/** A table that scrolls sideways if it does not fit, also by keyboard. */
export function WideTable({
  label,
  minWidth,
  columns,
  children,
  ...table
}: Omit<TableProps, 'children'> & {
  label: string;
  minWidth: number;
  columns: readonly Column[];
  /** The rows. */
  children: ReactNode;
}) {
  return (
    <Table.ScrollContainer
      className={classes.scroll}
      minWidth={minWidth}
      type="native"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <Table {...table}>
        <Table.Thead>
          <Table.Tr>{columns.map(toHeading)}</Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** A row whose first link can be clicked anywhere in the row. */
export function LinkedRow({ children }: { children: ReactNode }) {
  return <Table.Tr className={classes.linked}>{children}</Table.Tr>;
}

function toHeading(column: Column) {
  if (column === '') return <Table.Td key="" />;
  if (typeof column === 'string') return <Table.Th key={column}>{column}</Table.Th>;
  return (
    <Table.Th key={column.number} ta="right">
      {column.number}
    </Table.Th>
  );
}
