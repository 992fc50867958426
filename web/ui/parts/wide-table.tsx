import { Stack, Table, type TableProps, type TableTdProps } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './wide-table.module.css';

/** The name of a column, empty for a row's buttons, its cell of an item, and the looks of its cells. */
export type Column<Item> = readonly [name: string, cell: (item: Item) => ReactNode, looks?: TableTdProps];

export const NUMBER = { ta: 'right' } as const;
export const BUTTONS = { ta: 'end' } as const;

/** A table that scrolls sideways if it does not fit, also by keyboard. */
export function WideTable<Item>({
  label,
  minWidth,
  items,
  keyOf,
  columns,
  isLinked,
  entry,
  empty,
  ...table
}: Omit<TableProps, 'children'> & {
  label: string;
  minWidth: number;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  columns: readonly Column<Item>[];
  /** The first link of a row can be clicked anywhere in the row. */
  isLinked?: boolean;
  /** An item on phones, if a table would not fit there: a list is shown instead. */
  entry?: (item: Item) => ReactNode;
  /** Shown instead if there are no items. */
  empty?: ReactNode;
}) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  if (empty && items.length === 0) return empty;
  if (entry && isNarrow) {
    return (
      <Stack component="ul" gap="md" aria-label={label}>
        {items.map((item) => (
          <li key={keyOf(item)}>{entry(item)}</li>
        ))}
      </Stack>
    );
  }
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
          <Table.Tr>
            {columns.map(([name, , looks]) =>
              name === '' ? (
                <Table.Td key="" />
              ) : (
                <Table.Th key={name} {...(looks?.ta && { ta: looks.ta })}>
                  {name}
                </Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={keyOf(item)} {...(isLinked && { className: classes.linked })}>
              {columns.map(([name, cell, looks]) => (
                <Table.Td key={name} {...looks}>
                  {cell(item)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
