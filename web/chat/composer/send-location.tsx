import { Button, Group, NumberInput, Text, TextInput } from '@mantine/core';
import { IconCurrentLocation } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { runs } from '../../ui/parts/change.ts';
import { FormDialog } from '../../ui/parts/dialog.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useMap } from '../map/consent.ts';
import { MapConsent } from '../map/preview.tsx';
import type { Unsent } from '../outbox/store.ts';

const MapPicker = lazy(() => import('../map/picker.tsx'));

const WAIT_TIMEOUT_MS = 15_000;
/** A precision of about a metre. */
const DECIMALS = 5;
const AXES = [
  { axis: 'latitude', most: 90 },
  { axis: 'longitude', most: 180 },
] as const;

type Axis = (typeof AXES)[number]['axis'];

/** A location: clicked on a map, typed, or taken from the device on request. */
export default function SendLocation({
  onSend,
  onClose,
}: {
  onSend: (content: Unsent['content']) => void;
  onClose: () => void;
}) {
  const t = useTexts();
  const map = useMap();
  const [typed, setTyped] = useState<Record<Axis, number | string>>({ latitude: '', longitude: '' });
  const isReady = AXES.every(({ axis, most }) => isWithin(typed[axis], most));
  const place = { latitude: Number(typed.latitude), longitude: Number(typed.longitude) };
  const choose = (chosen: typeof place) =>
    setTyped({
      latitude: Number(chosen.latitude.toFixed(DECIMALS)),
      longitude: Number(chosen.longitude.toFixed(DECIMALS)),
    });
  const locate = useMutation({
    mutationFn: () =>
      new Promise<GeolocationPosition>((resolve, reject) =>
        navigator.geolocation.getCurrentPosition(resolve, reject, {
          enableHighAccuracy: true,
          timeout: WAIT_TIMEOUT_MS,
        }),
      ),
    onSuccess: ({ coords }) => choose(coords),
  });
  return (
    <FormDialog
      onClose={onClose}
      title={t('chat.composer.placeTitle')}
      submit={t('chat.composer.send')}
      disabled={!isReady}
      onSubmit={(fields) => {
        if (!isReady) return;
        const name = String(fields.get('name')).trim();
        const address = String(fields.get('address')).trim();
        onSend({
          type: 'location',
          location: { ...place, ...(name && { name }), ...(address && { address }) },
        });
      }}
    >
      <Button variant="light" leftSection={<IconCurrentLocation size={18} />} {...runs(locate)}>
        {t('chat.composer.whereAmI')}
      </Button>
      {locate.isError && (
        <Text size="sm" c="red" role="alert">
          {t('chat.composer.locationRefused')}
        </Text>
      )}
      <MapConsent />
      {map?.isAgreed && (
        <Suspense>
          <MapPicker place={isReady ? place : undefined} onChoose={choose} />
        </Suspense>
      )}
      <Group grow align="flex-start">
        {AXES.map(({ axis, most }) => (
          <NumberInput
            allowDecimal
            key={axis}
            label={t(`chat.composer.${axis}`)}
            value={typed[axis]}
            onChange={(value) => setTyped((before) => ({ ...before, [axis]: value }))}
            error={typed[axis] !== '' && !isWithin(typed[axis], most) && t(`chat.composer.${axis}Fault`)}
            decimalScale={DECIMALS}
            hideControls
            required
            data-autofocus={axis === 'latitude' || undefined}
          />
        ))}
      </Group>
      <TextInput name="name" label={t('chat.composer.placeName')} maxLength={LIMITS.locationNameLength} />
      <TextInput
        name="address"
        label={t('chat.composer.placeAddress')}
        maxLength={LIMITS.locationNameLength}
      />
    </FormDialog>
  );
}

function isWithin(value: number | string, most: number): boolean {
  return value !== '' && Math.abs(Number(value)) <= most;
}
