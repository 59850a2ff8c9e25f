import { mdiChevronDown, mdiChevronUp, mdiClose, mdiPlayPause, mdiVolumeHigh, mdiVolumeOff } from '@mdi/js';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import { PROCESSED_TEXT as TEXT } from '../../../text/processed.text';
import { Icon } from '../../../ui/icon';

interface ReelControlsProps {
  position: string;
  muted: boolean;
  hasVideo: boolean;
  onClose: () => void;
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onPlay: () => void;
  onMuted: () => void;
}

const ROUND = {
  bgcolor: 'background.paper',
  border: 1,
  borderColor: 'line.main',
  width: 44,
  height: 44,
  '&:hover': { bgcolor: 'background.paper' },
  '&.Mui-disabled': { bgcolor: 'background.paper', opacity: 0.6 },
};
const PILL = {
  position: 'absolute',
  top: 14,
  left: 14,
  alignItems: 'center',
  gap: 2,
  bgcolor: 'overlay.main',
  color: 'overlay.text',
  borderRadius: 999,
};

function Round({ label, icon, onClick, pressed }: { label: string; icon: string; onClick: (() => void) | undefined; pressed?: boolean }) {
  return (
    <IconButton
      aria-label={label}
      disabled={onClick === undefined}
      onClick={onClick}
      {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
      sx={ROUND}
    >
      <Icon path={icon} />
    </IconButton>
  );
}

/** Buttons over the video, for those who neither swipe nor know the keys. */
export function ReelControls({ position, muted, hasVideo, onClose, onPrevious, onNext, onPlay, onMuted }: ReelControlsProps) {
  return (
    <>
      <Stack sx={{ position: 'absolute', right: 14, top: '50%', transform: 'translateY(-50%)', gap: 2 }}>
        <Round label={TEXT.previous} icon={mdiChevronUp} onClick={onPrevious} />
        {hasVideo ? <Round label={TEXT.playPause} icon={mdiPlayPause} onClick={onPlay} /> : null}
        {hasVideo ? <Round label={TEXT.sound} icon={muted ? mdiVolumeOff : mdiVolumeHigh} pressed={!muted} onClick={onMuted} /> : null}
        <Round label={TEXT.next} icon={mdiChevronDown} onClick={onNext} />
      </Stack>
      <Stack direction="row" sx={{ ...PILL, pl: 1, pr: 4 }}>
        <IconButton aria-label="Close" onClick={onClose} sx={{ color: 'overlay.text' }}>
          <Icon path={mdiClose} />
        </IconButton>
        <Box className="tabular" role="status" sx={{ fontSize: 13, fontWeight: 580 }}>
          {position}
        </Box>
      </Stack>
    </>
  );
}
