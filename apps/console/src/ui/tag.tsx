import { mdiImageMultipleOutline, mdiLinkVariant } from '@mdi/js';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import type { StatusTone } from '../theme/tokens';
import { Icon } from './icon';

export function Tag({ children, tone, icon }: { children: ReactNode; tone?: StatusTone; icon?: ReactNode }) {
  return (
    <Box
      component="span"
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1,
        minHeight: 22,
        px: 2,
        borderRadius: 1.5,
        fontSize: 12,
        fontWeight: 520,
        color: tone === undefined ? 'text.secondary' : `status.${tone}.text`,
        bgcolor: tone === undefined ? 'sunken.main' : `status.${tone}.tint`,
        maxWidth: '100%',
        ...(tone === undefined ? { overflowWrap: 'anywhere' } : { whiteSpace: 'nowrap' }),
      }}
    >
      {icon}
      {children}
    </Box>
  );
}

const NAMES: Record<string, { label: string; icon: string }> = {
  reddit: { label: 'Reddit', icon: mdiLinkVariant },
  instagram: { label: 'Instagram', icon: mdiImageMultipleOutline },
};

/** Neutral icons instead of the platforms' logos. */
export function PlatformBadge({ platform }: { platform: string }) {
  const known = NAMES[platform];
  return <Tag icon={<Icon path={known?.icon ?? mdiLinkVariant} sx={{ fontSize: 14 }} />}>{known?.label ?? platform}</Tag>;
}
