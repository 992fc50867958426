import { Code, Group } from '@mantine/core';

/** Scopes as the API names them. */
export function Scopes({ scopes }: { scopes: readonly string[] }) {
  return (
    <Group gap={4}>
      {scopes.map((scope) => (
        <Code key={scope}>{scope}</Code>
      ))}
    </Group>
  );
}
