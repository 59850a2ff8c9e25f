import { LIMITS } from '@autoposter/contracts';
import { mdiAlertOutline, mdiProgressClock } from '@mdi/js';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { VIDEO_TEXT } from '../text/processed.text';
import { Icon } from './icon';
import { registerVideo } from './playing-videos';
import { VideoControls } from './video-controls';

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
  /** Called when the video's controls mute or unmute it. */
  onMuted?: (muted: boolean) => void;
  /** Preloads the video before it plays. */
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
      {src === null ? <Message icon={mdiProgressClock}>{VIDEO_TEXT.processing}</Message> : null}
      {src !== null && failed ? (
        <Message
          icon={mdiAlertOutline}
          action={
            <Button size="small" variant="outlined" href={src} target="_blank" rel="noreferrer">
              {VIDEO_TEXT.openInNewTab}
            </Button>
          }
        >
          {VIDEO_TEXT.failed}
        </Message>
      ) : null}
      {shown && image ? <img src={src} alt={label} loading="lazy" style={{ ...FILL, objectFit: fit }} onError={onError} /> : null}
      {shown && !image ? <Player {...props} onError={onError} frame={element} /> : null}
    </Box>
  );
}
