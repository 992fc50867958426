const WIDEST_PX = 640;
const QUALITY = 0.8;
/** Not the very first frame, which is often black. */
const AT_SECONDS = 0.2;
const WAIT_TIMEOUT_MS = 10_000;

/**
 * A still picture of a video, as a JPEG file.
 *
 * @throws when this browser cannot read the video
 */
export async function posterOf(file: File): Promise<File> {
  const address = URL.createObjectURL(file);
  const video = document.createElement('video');
  try {
    video.muted = true;
    video.playsInline = true;
    video.preload = 'auto';
    video.src = address;
    await happened(video, 'loadeddata');
    video.currentTime = Math.min(AT_SECONDS, video.duration / 2 || 0);
    await happened(video, 'seeked');
    const scale = Math.min(1, WIDEST_PX / video.videoWidth);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
    if (!blob) throw new Error('the frame could not be drawn');
    return new File([blob], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: 'image/jpeg' });
  } finally {
    video.removeAttribute('src');
    URL.revokeObjectURL(address);
  }
}

function happened(video: HTMLVideoElement, event: 'loadeddata' | 'seeked'): Promise<void> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(WAIT_TIMEOUT_MS);
    video.addEventListener(event, () => resolve(), { once: true, signal });
    video.addEventListener('error', () => reject(new Error('the video cannot be read')), { once: true });
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}
