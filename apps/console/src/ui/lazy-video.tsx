import { LIMITS } from '@autoposter/contracts';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { mdiAlertOutline, mdiProgressClock } from '@mdi/js';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { VIDEO_TEXT } from '../text/processed.text';
import { Icon } from './icon';
import { watchVideo } from './playing-videos';
import { VideoControls } from './video-controls';

const { lazyVideoMarginPx, lazyVideoThreshold } = LIMITS.console;

/** Whether the element came near the viewport once. Where nobody can tell, it counts as near. */
export function useInViewport() {
  const element = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (near || element.current === null) return;
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && setNear(true), {
      rootMargin: `${lazyVideoMarginPx}px`,
      threshold: lazyVideoThreshold,
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [near]);
  return { element, near };
}

interface LazyVideoProps {
  src: string | null;
  poster?: string | null | undefined;
  label: string;
  image?: boolean;
  /** `seek`: only the position, where the screen has buttons of its own. */
  controls?: 'all' | 'seek';
  /** Plays while true; without it a person starts it with its controls. */
  playing?: boolean;
  muted?: boolean;
  /** A person switched the sound with the controls of the video. */
  onMuted?: (muted: boolean) => void;
  /** Fetched ahead though it does not play yet. */
  ahead?: boolean;
  fit?: 'cover' | 'contain';
  video?: RefObject<HTMLVideoElement | null>;
}

function Notice({ icon, children, action }: { icon: string; children: ReactNode; action?: ReactNode }) {
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
  ahead = false,
  fit = 'cover',
  ...rest
}: LazyVideoProps & { onError: () => void; frame: RefObject<HTMLDivElement | null> }) {
  const own = useRef<HTMLVideoElement>(null);
  const element = rest.video ?? own;
  useEffect(() => (element.current === null ? undefined : watchVideo(element.current)), [element]);
  useEffect(() => {
    if (playing === undefined || element.current === null) return;
    // A browser may refuse to play by itself; the cover stays and a person can start it.
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
        preload={ahead ? 'auto' : hasPoster && controls === undefined ? 'none' : 'metadata'}
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

/** A video (or picture) that loads nothing before it is near the viewport, shows its cover first, and says what is wrong when it fails. */
export function LazyVideo(props: LazyVideoProps) {
  const { src, label, image = false, fit = 'cover' } = props;
  const { element, near } = useInViewport();
  const [failed, setFailed] = useState(false);
  const shown = src !== null && !failed && near;
  const onError = () => setFailed(true);
  return (
    <Box ref={element} sx={{ position: 'relative', width: 1, height: 1, bgcolor: 'sunken.main', color: 'text.secondary' }}>
      {src === null ? <Notice icon={mdiProgressClock}>{VIDEO_TEXT.processing}</Notice> : null}
      {src !== null && failed ? (
        <Notice
          icon={mdiAlertOutline}
          action={
            <Button size="small" variant="outlined" href={src} target="_blank" rel="noreferrer">
              {VIDEO_TEXT.openInNewTab}
            </Button>
          }
        >
          {VIDEO_TEXT.failed}
        </Notice>
      ) : null}
      {shown && image ? <img src={src} alt={label} loading="lazy" style={{ ...FILL, objectFit: fit }} onError={onError} /> : null}
      {shown && !image ? <Player {...props} onError={onError} frame={element} /> : null}
    </Box>
  );
}
