import { mdiAlertOutline, mdiProgressClock } from '@mdi/js';
import { LIMITS } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { VIDEO_TEXT } from '../text/processed.text';
import { Icon } from './icon';

interface LazyVideoProps {
  src: string | null;
  poster?: string | null | undefined;
  label: string;
  image?: boolean;
  controls?: boolean;
  autoPlay?: boolean;
  fit?: 'cover' | 'contain';
}

const { lazyVideoMarginPx, lazyVideoThreshold } = LIMITS.console;

/** Whether the element came near the viewport once. Where nobody can tell, it counts as near. */
function useNear() {
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

/** A video (or picture) that loads nothing before it is near the viewport, shows its cover first, and says what is wrong when it fails. */
export function LazyVideo({ src, poster, label, image = false, controls = false, autoPlay = false, fit = 'cover' }: LazyVideoProps) {
  const { element, near } = useNear();
  const [failed, setFailed] = useState(false);
  const media = { position: 'absolute', inset: 0, width: '100%', height: '100%', objectFit: fit, display: 'block' } as const;
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
      {src !== null && !failed && near && image ? <img src={src} alt={label} style={media} onError={() => setFailed(true)} /> : null}
      {src !== null && !failed && near && !image ? (
        <video
          src={src}
          aria-label={label}
          style={media}
          preload={poster === null || poster === undefined || controls ? 'metadata' : 'none'}
          playsInline
          muted={autoPlay || !controls}
          loop={autoPlay}
          autoPlay={autoPlay}
          controls={controls}
          {...(poster === null || poster === undefined ? {} : { poster })}
          onError={() => setFailed(true)}
          onMouseEnter={(event) => void (controls ? undefined : event.currentTarget.play().catch(() => undefined))}
          onMouseLeave={(event) => (controls || autoPlay ? undefined : event.currentTarget.pause())}
        />
      ) : null}
    </Box>
  );
}
