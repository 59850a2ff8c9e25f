import { mdiChevronDown, mdiChevronUp, mdiClose } from '@mdi/js';
import type { ContentItem } from '@autoposter/contracts';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect } from 'react';
import { Icon } from '../../../ui/icon';
import { LazyVideo } from '../../../ui/lazy-video';
import { isTyping } from '../item-facts';
import { ReelText } from './reel-text';

interface ReelsProps {
  items: readonly ContentItem[];
  configured: boolean | undefined;
  item: string | null;
  onItem: (id: string) => void;
  onClose: () => void;
  onDetails: (id: string) => void;
}

/** One post at a time on the whole screen; up and down go on, unless somebody is typing. */
export function Reels({ items, configured, item, onItem, onClose, onDetails }: ReelsProps) {
  const index = Math.max(
    0,
    items.findIndex((each) => each.id === item),
  );
  const still = useMediaQuery('(prefers-reduced-motion: reduce)');
  const current = items[index];
  const before = items[index - 1];
  const after = items[index + 1];
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event.target)) return;
      const next = event.key === 'ArrowUp' ? before : event.key === 'ArrowDown' ? after : undefined;
      if (next === undefined) return;
      event.preventDefault();
      onItem(next.id);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [before, after, onItem]);
  if (current === undefined) return null;
  return (
    <Dialog
      open
      fullScreen
      onClose={onClose}
      slotProps={{ paper: { 'aria-label': `Reels: ${current.title}`, 'aria-labelledby': undefined } }}
    >
      <Box sx={{ display: 'grid', height: { md: '100dvh' }, gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 420px' } }}>
        <Box
          sx={{
            position: 'relative',
            height: { xs: '72dvh', md: '100dvh' },
            display: 'grid',
            placeItems: 'center',
            bgcolor: 'sunken.main',
            overflow: 'hidden',
          }}
        >
          <Box sx={{ height: 1, width: 1, maxWidth: 'calc(100dvh * 9 / 16)' }}>
            <LazyVideo
              key={current.id}
              src={current.processedCdnUrl}
              poster={current.posterUrl}
              label={current.title}
              image={current.mediaType === 'image'}
              controls
              autoPlay={!still}
              fit="contain"
            />
          </Box>
          <Stack sx={{ position: 'absolute', right: 14, top: '50%', transform: 'translateY(-50%)', gap: 2 }}>
            {[
              { label: 'Previous post', icon: mdiChevronUp, to: before },
              { label: 'Next post', icon: mdiChevronDown, to: after },
            ].map(({ label, icon, to }) => (
              <IconButton
                key={label}
                aria-label={label}
                disabled={to === undefined}
                onClick={() => to !== undefined && onItem(to.id)}
                sx={{
                  bgcolor: 'background.paper',
                  border: 1,
                  borderColor: 'line.main',
                  width: 44,
                  height: 44,
                  '&:hover': { bgcolor: 'background.paper' },
                }}
              >
                <Icon path={icon} />
              </IconButton>
            ))}
          </Stack>
          <Stack
            direction="row"
            sx={{
              position: 'absolute',
              top: 14,
              left: 14,
              alignItems: 'center',
              gap: 2,
              bgcolor: 'overlay.main',
              color: 'overlay.text',
              borderRadius: 999,
              pl: 1,
              pr: 4,
            }}
          >
            <IconButton aria-label="Close" onClick={onClose} sx={{ color: 'overlay.text' }}>
              <Icon path={mdiClose} />
            </IconButton>
            <Box className="tabular" role="status" sx={{ fontSize: 13, fontWeight: 580 }}>
              {`${index + 1} / ${items.length}`}
            </Box>
          </Stack>
        </Box>
        <ReelText key={current.id} item={current} configured={configured} onDetails={() => onDetails(current.id)} />
      </Box>
    </Dialog>
  );
}
