import type { FileForm } from './forms.ts';

const WIDEST_PX = 640;
const QUALITY = 0.8;
/** Not the first frame, which is often black. */
const AT_SECONDS = 0.2;
const WAIT_TIMEOUT_MS = 10_000;

/**
 * A still frame of a video, as a JPEG file, and the video's duration, if known.
 *
 * @throws when this browser cannot read the video
 */
export async function posterOf(file: File): Promise<{ picture: File; durationMs: number | undefined }> {
  const video = document.createElement('video');
  return opened(video, file, async () => {
    video.playsInline = true;
    // Safari on an iPhone loads no frame before it is asked for one.
    await happened(video, 'loadedmetadata');
    const durationMs = await durationOf(video);
    video.currentTime = Math.min(AT_SECONDS, (durationMs ?? 0) / 2_000);
    await happened(video, 'seeked');
    const scale = Math.min(1, WIDEST_PX / video.videoWidth);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
    if (!blob) throw new Error('the frame could not be drawn');
    const name = `${file.name.replace(/\.[^.]*$/, '')}.jpg`;
    return { picture: new File([blob], name, { type: 'image/jpeg' }), durationMs };
  });
}

/** The duration of a sound; undefined if this browser cannot determine it. */
export async function lengthOf(file: File): Promise<number | undefined> {
  const audio = document.createElement('audio');
  return opened(audio, file, async () => {
    await happened(audio, 'loadedmetadata');
    return durationOf(audio);
  }).catch(() => undefined);
}

/** The width and height at which a picture or video is shown; undefined if this browser cannot read it. */
export async function dimensionsOf(
  file: File,
  form: FileForm,
): Promise<{ width: number; height: number } | undefined> {
  if (form !== 'image' && form !== 'gif' && form !== 'video') return undefined;
  const [width, height] = await (form === 'video' ? sizeOfVideo(file) : sizeOfPicture(file)).catch(() => [
    0, 0,
  ]);
  return width > 0 && height > 0 ? { width, height } : undefined;
}

type Size = [width: number, height: number];

async function sizeOfVideo(file: File): Promise<Size> {
  const video = document.createElement('video');
  return opened(video, file, async () => {
    await happened(video, 'loadedmetadata');
    return [video.videoWidth, video.videoHeight];
  });
}

async function sizeOfPicture(file: File): Promise<Size> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

async function opened<T>(media: HTMLMediaElement, file: File, look: () => Promise<T>): Promise<T> {
  const address = URL.createObjectURL(file);
  try {
    media.muted = true;
    media.preload = 'auto';
    media.src = address;
    return await look();
  } finally {
    media.removeAttribute('src');
    URL.revokeObjectURL(address);
  }
}

/** Live recordings have no duration in their header; it is known only at the end. */
async function durationOf(media: HTMLMediaElement): Promise<number | undefined> {
  if (media.duration === Number.POSITIVE_INFINITY) {
    const shown = happened(media, 'durationchange');
    media.currentTime = Number.MAX_SAFE_INTEGER;
    await shown.catch(() => undefined);
  }
  return Number.isFinite(media.duration) ? Math.round(media.duration * 1000) : undefined;
}

function happened(
  media: HTMLMediaElement,
  event: 'loadedmetadata' | 'durationchange' | 'seeked',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(WAIT_TIMEOUT_MS);
    media.addEventListener(event, () => resolve(), { once: true, signal });
    media.addEventListener('error', () => reject(new Error('the file cannot be read')), { once: true });
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
