import { mdiAlertOutline, mdiFullscreen, mdiImageOutline, mdiPause, mdiPlay, mdiProgressClock, mdiVolumeHigh, mdiVolumeOff } from '@mdi/js';
import { LIMITS } from '@autoposter/contracts';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { VIDEO_TEXT as TEXT } from '../text/processed.text';
import { videoLength } from './format';
import { Icon } from './icons';
import { Box, Button, IconButton, Slider, Span, Stack } from './mui';

/** Limited because of the cost of decoding. */
export const MAX_PLAYING = 3;

const playing: HTMLVideoElement[] = [];

const remove = (video: HTMLVideoElement): void => {
  const at = playing.indexOf(video);
  if (at >= 0) playing.splice(at, 1);
};

const muteOthers = (video: HTMLVideoElement): void => {
  if (video.muted || video.volume === 0 || video.paused) return;
  for (const other of playing) if (other !== video) other.muted = true;
};

/**
 * Limits concurrent playback: a further video pauses the one that started first, and only one plays with sound. Returns a function that
 * pauses and unregisters the video.
 */
export function registerVideo(video: HTMLVideoElement): () => void {
  const onPlay = () => {
    remove(video);
    playing.push(video);
    while (playing.length > MAX_PLAYING) playing.shift()?.pause();
    muteOthers(video);
  };
  const onStop = () => remove(video);
  const onVolume = () => muteOthers(video);
  video.addEventListener('play', onPlay);
  video.addEventListener('pause', onStop);
  video.addEventListener('ended', onStop);
  video.addEventListener('volumechange', onVolume);
  return () => {
    video.removeEventListener('play', onPlay);
    video.removeEventListener('pause', onStop);
    video.removeEventListener('ended', onStop);
    video.removeEventListener('volumechange', onVolume);
    video.pause();
    remove(video);
  };
}

interface Playback {
  paused: boolean;
  muted: boolean;
  /** Seconds; 0 while the length is unknown. */
  length: number;
  at: number;
}

const STOPPED: Playback = { paused: true, muted: false, length: 0, at: 0 };
const EVENTS = ['play', 'pause', 'ended', 'timeupdate', 'seeking', 'durationchange', 'loadedmetadata', 'volumechange'];
const SEEK_STEP_SECONDS = 0.1;

function usePlayback(video: RefObject<HTMLVideoElement | null>): Playback {
  const [playback, setPlayback] = useState(STOPPED);
  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    const read = () => {
      const { paused, muted, duration, currentTime } = element;
      setPlayback({ paused, muted, length: Number.isFinite(duration) ? duration : 0, at: currentTime });
    };
    read();
    for (const event of EVENTS) element.addEventListener(event, read);
    return () => {
      for (const event of EVENTS) element.removeEventListener(event, read);
    };
  }, [video]);
  return playback;
}

function seek(video: HTMLVideoElement | null, seconds: number): void {
  if (video !== null) video.currentTime = seconds;
}

interface VideoControlsProps {
  video: RefObject<HTMLVideoElement | null>;
  /** `seek` omits the buttons, for screens with their own. */
  kind: 'all' | 'seek';
  frame: RefObject<HTMLElement | null>;
}

/** Replaces native controls: while one of those has the focus, Chromium consumes every key, and Escape does not close the dialog. */
function VideoControls({ video, kind, frame }: VideoControlsProps) {
  const { paused, muted, length, at } = usePlayback(video);
  const withVideo = (act: (element: HTMLVideoElement) => void) => () => {
    if (video.current !== null) act(video.current);
  };
  const togglePlay = withVideo((element) => (element.paused ? void element.play().catch(() => undefined) : element.pause()));
  const toggleSound = withVideo((element) => {
    element.muted = !element.muted;
  });
  const toggleFullScreen = () =>
    void (document.fullscreenElement === null ? frame.current?.requestFullscreen?.() : document.exitFullscreen())?.catch(() => undefined);
  return (
    <Stack
      direction="row"
      sx={{
        position: 'absolute',
        insetInline: 0,
        bottom: 0,
        gap: 1,
        px: 2,
        alignItems: 'center',
        bgcolor: 'overlay.main',
        color: 'overlay.text',
        '& .MuiIconButton-root': { color: 'inherit' },
      }}
    >
      {kind === 'all' ? (
        <IconButton size="small" aria-label={paused ? TEXT.play : TEXT.pause} onClick={togglePlay}>
          <Icon path={paused ? mdiPlay : mdiPause} />
        </IconButton>
      ) : null}
      <Slider
        size="small"
        aria-label={TEXT.position}
        value={Math.min(at, length)}
        max={length === 0 ? 1 : length}
        step={SEEK_STEP_SECONDS}
        disabled={length === 0}
        getAriaValueText={(seconds) => `${videoLength(seconds)} / ${videoLength(length)}`}
        onChange={(_event, seconds) => seek(video.current, seconds)}
        sx={{ mx: 2, color: 'inherit' }}
      />
      <Span sx={{ fontSize: 12, whiteSpace: 'nowrap' }}>{`${videoLength(at)} / ${videoLength(length)}`}</Span>
      {kind === 'all' ? (
        <>
          <IconButton size="small" aria-label={TEXT.sound} aria-pressed={!muted} onClick={toggleSound}>
            <Icon path={muted ? mdiVolumeOff : mdiVolumeHigh} />
          </IconButton>
          <IconButton size="small" aria-label={TEXT.fullScreen} onClick={toggleFullScreen}>
            <Icon path={mdiFullscreen} />
          </IconButton>
        </>
      ) : null}
    </Stack>
  );
}

const { lazyVideoMarginPx, lazyVideoThreshold } = LIMITS.console;

/** True once the element has been near the viewport, and always where `IntersectionObserver` is missing. */
function useInViewport() {
  const element = useRef<HTMLDivElement>(null);
  const [inViewport, setInViewport] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (inViewport || element.current === null) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setInViewport(true), {
      rootMargin: `${lazyVideoMarginPx}px`,
      threshold: lazyVideoThreshold,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [inViewport]);
  return { element, inViewport };
}

interface LazyVideoProps {
  src: string | null;
  poster?: string | null | undefined;
  label: string;
  image?: boolean;
  /** `seek` shows the position only, for screens with buttons of their own. */
  controls?: 'all' | 'seek';
  /** Undefined leaves playback to the video's controls. */
  playing?: boolean;
  muted?: boolean;
  onMuted?: (muted: boolean) => void;
  preload?: boolean;
  fit?: 'cover' | 'contain';
  video?: RefObject<HTMLVideoElement | null>;
}

function Message({ icon, children, action }: { icon: string; children: ReactNode; action?: ReactNode }) {
  return (
    <Stack
      sx={{
        position: 'absolute',
        inset: 0,
        p: 4,
        gap: 2.5,
        alignItems: 'center',
        justifyContent: 'center',
        textAlign: 'center',
        fontSize: 13,
      }}
    >
      <Icon path={icon} />
      {children}
      {action}
    </Stack>
  );
}

const FILL = { position: 'absolute', inset: 0, width: '100%', height: '100%', display: 'block' } as const;

function Player({
  src,
  poster,
  label,
  controls,
  playing,
  muted = true,
  preload = false,
  fit = 'cover',
  ...rest
}: LazyVideoProps & { onError: () => void; frame: RefObject<HTMLDivElement | null> }) {
  const own = useRef<HTMLVideoElement>(null);
  const element = rest.video ?? own;
  useEffect(() => (element.current === null ? undefined : registerVideo(element.current)), [element]);
  useEffect(() => {
    if (playing === undefined || element.current === null) return;
    // A browser may refuse to autoplay; the poster stays and the controls can start it.
    if (playing) void element.current.play()?.catch(() => undefined);
    else element.current.pause();
  }, [element, playing]);
  const hasPoster = poster !== null && poster !== undefined;
  return (
    <>
      <video
        ref={element}
        {...(src === null ? {} : { src })}
        aria-label={label}
        style={{ ...FILL, objectFit: fit }}
        preload={preload ? 'auto' : hasPoster && controls === undefined ? 'none' : 'metadata'}
        playsInline
        muted={muted}
        loop={playing !== undefined}
        {...(hasPoster ? { poster } : {})}
        onVolumeChange={(event) => (event.currentTarget.muted === muted ? undefined : rest.onMuted?.(event.currentTarget.muted))}
        onError={rest.onError}
      />
      {controls === undefined ? null : <VideoControls video={element} kind={controls} frame={rest.frame} />}
    </>
  );
}

/** A video or image that loads only near the viewport; a video shows its poster first. */
export function LazyVideo(props: LazyVideoProps) {
  const { src, label, image = false, fit = 'cover' } = props;
  const { element, inViewport } = useInViewport();
  const [failed, setFailed] = useState(false);
  const shown = src !== null && !failed && inViewport;
  const onError = () => setFailed(true);
  return (
    <Box ref={element} sx={{ position: 'relative', width: 1, height: 1, bgcolor: 'sunken.main', color: 'text.secondary' }}>
      {src === null ? <Message icon={mdiProgressClock}>{TEXT.processing}</Message> : null}
      {src !== null && failed ? (
        <Message
          icon={mdiAlertOutline}
          action={
            <Button size="small" variant="outlined" href={src} target="_blank" rel="noreferrer">
              {TEXT.openInNewTab}
            </Button>
          }
        >
          {TEXT.failed}
        </Message>
      ) : null}
      {src !== null && !failed ? (
        <Box aria-hidden sx={{ position: 'absolute', inset: 0, display: 'grid', placeItems: 'center', opacity: 0.4 }}>
          <Icon path={mdiImageOutline} sx={{ fontSize: 32 }} />
        </Box>
      ) : null}
      {shown && image ? <img src={src} alt={label} loading="lazy" style={{ ...FILL, objectFit: fit }} onError={onError} /> : null}
      {shown && !image ? <Player {...props} onError={onError} frame={element} /> : null}
    </Box>
  );
}

/** A 9:16 thumbnail, or a placeholder icon. */
export function Poster({ src, width = 44 }: { src: string | null | undefined; width?: number }) {
  const [broken, setBroken] = useState(false);
  const empty = src === null || src === undefined || broken;
  return (
    <Box
      aria-hidden
      sx={{
        width,
        aspectRatio: '9 / 16',
        flexShrink: 0,
        alignSelf: 'flex-start',
        borderRadius: 1.5,
        overflow: 'hidden',
        bgcolor: 'sunken.main',
        border: 1,
        borderColor: 'line.main',
        display: 'grid',
        placeItems: 'center',
        color: 'text.secondary',
      }}
    >
      {empty ? (
        <Icon path={mdiImageOutline} sx={{ fontSize: 18, opacity: 0.6 }} />
      ) : (
        <Box
          component="img"
          src={src}
          alt=""
          loading="lazy"
          onError={() => setBroken(true)}
          sx={{ width: 1, height: 1, objectFit: 'cover' }}
        />
      )}
    </Box>
  );
}
