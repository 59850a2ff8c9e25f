import { mdiImageOutline } from '@mdi/js';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { Icon } from './icon';

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
