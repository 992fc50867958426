import { Radio, type RadioGroupProps, Stack } from '@mantine/core';

/** A choice of one of a few, one below the other. */
export function RadioList<Value extends string>({
  options,
  onChange,
  ...group
}: Omit<RadioGroupProps, 'children' | 'onChange'> & {
  options: readonly { value: Value; label: string; lang?: string }[];
  onChange: (chosen: Value) => void;
}) {
  return (
    <Radio.Group {...group} onChange={(chosen) => onChange(chosen as Value)}>
      <Stack gap="xs" mt="xs">
        {options.map((option) => (
          <Radio key={option.value} {...option} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
