import {
  control,
  map as createMap,
  divIcon,
  type Map as LeafletMap,
  type Marker,
  marker,
  tileLayer,
} from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTexts } from '../../ui/texts.ts';
import { useMap } from './consent.ts';
import classes from './map.module.css';
import { Attribution } from './preview.tsx';

interface Place {
  latitude: number;
  longitude: number;
}

/** Shows most of the world before a location is chosen. */
const WORLD = { center: [30, 10] as [number, number], zoom: 1 };
const NEAR_ZOOM = 15;
const MOST_ZOOM = 19;
const PIN = '<svg viewBox="0 0 24 24"><path d="M12 23c-1-4-8-9-8-15a8 8 0 0 1 16 0c0 6-7 11-8 15z"/></svg>';

/** A map for choosing a location: by clicking or, with Enter, its centre. */
export default function MapPicker({
  place,
  onChoose,
}: {
  place: Place | undefined;
  onChoose: (place: Place) => void;
}) {
  const t = useTexts();
  const tiles = useMap();
  const element = useRef<HTMLDivElement>(null);
  const map = useRef<LeafletMap>(undefined);
  const pin = useRef<Marker>(undefined);
  const choose = useEffectEvent(({ lat, lng }: { lat: number; lng: number }) =>
    onChoose({ latitude: lat, longitude: lng }),
  );
  const labels = useEffectEvent(() => ({ zoomIn: t('chat.map.zoomIn'), zoomOut: t('chat.map.zoomOut') }));
  const url = tiles?.url;
  useEffect(() => {
    if (!element.current || url === undefined) return;
    const { zoomIn, zoomOut } = labels();
    const made = createMap(element.current, {
      ...WORLD,
      attributionControl: false,
      zoomControl: false,
      worldCopyJump: true,
    });
    control.zoom({ zoomInTitle: zoomIn, zoomOutTitle: zoomOut }).addTo(made);
    // Tile servers require the referrer.
    tileLayer(url, { maxZoom: MOST_ZOOM, referrerPolicy: 'origin' }).addTo(made);
    made.on('click', ({ latlng }) => choose(latlng.wrap()));
    map.current = made;
    return () => {
      made.remove();
      map.current = undefined;
      pin.current = undefined;
    };
  }, [url]);
  const { latitude, longitude } = place ?? {};
  useEffect(() => {
    if (!map.current || latitude === undefined || longitude === undefined) return;
    const at: [number, number] = [latitude, longitude];
    pin.current ??= marker(at, {
      icon: divIcon({ className: classes.pin ?? '', html: PIN, iconSize: [36, 36], iconAnchor: [18, 34] }),
      keyboard: false,
      interactive: false,
    }).addTo(map.current);
    pin.current.setLatLng(at);
    const isFar = map.current.getZoom() < 3;
    if (isFar) map.current.setView(at, NEAR_ZOOM);
    else if (!map.current.getBounds().contains(at)) map.current.panTo(at);
  }, [latitude, longitude]);
  return (
    <div>
      <div
        ref={element}
        className={classes.picker}
        role="application"
        aria-label={t('chat.map.map')}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.target !== element.current || !map.current) return;
          event.preventDefault();
          const { lat, lng } = map.current.getCenter().wrap();
          onChoose({ latitude: lat, longitude: lng });
        }}
      />
      <Attribution />
    </div>
  );
}
