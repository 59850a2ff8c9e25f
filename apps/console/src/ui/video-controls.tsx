import { mdiFullscreen, mdiPause, mdiPlay, mdiVolumeHigh, mdiVolumeOff } from '@mdi/js';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Slider from '@mui/material/Slider';
import Stack from '@mui/material/Stack';
import { type RefObject, useEffect, useState } from 'react';
import { VIDEO_TEXT as TEXT } from '../text/processed.text';
import { videoLength } from './format';
import { Icon } from './icon';

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
  /** The element shown in full screen: video and controls. */
  frame: RefObject<HTMLElement | null>;
}

/** Replaces native controls: while one of those has the focus, Chromium consumes every key, and Escape does not close the dialog. */
export function VideoControls({ video, kind, frame }: VideoControlsProps) {
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
      <Box component="span" className="tabular" sx={{ fontSize: 12, whiteSpace: 'nowrap' }}>
        {`${videoLength(at)} / ${videoLength(length)}`}
      </Box>
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
