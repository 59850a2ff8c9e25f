import SvgIcon, { type SvgIconProps } from '@mui/material/SvgIcon';
import type { StatusTone } from '../theme/tokens';
import { Box } from './mui';

/** Without `title` the icon is hidden from screen readers. */
export function Icon({ path, title, ...rest }: { path: string; title?: string } & Omit<SvgIconProps, 'path'>) {
  return (
    <SvgIcon fontSize="small" {...(title === undefined ? { 'aria-hidden': true } : { titleAccess: title })} {...rest}>
      <path d={path} />
    </SvgIcon>
  );
}

const BARS = [
  { height: '46%', opacity: 0.45 },
  { height: '62%', opacity: 0.75 },
  { height: '78%', opacity: 1 },
];

export function Logo({ size = 28 }: { size?: number }) {
  return (
    <Box
      aria-hidden
      sx={{
        width: size,
        height: size,
        borderRadius: '28%',
        bgcolor: 'primary.main',
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'center',
        gap: '6%',
        flexShrink: 0,
      }}
    >
      {BARS.map((bar) => (
        <Box
          key={bar.height}
          sx={{ width: '15%', height: bar.height, borderRadius: 999, bgcolor: 'primary.contrastText', opacity: bar.opacity }}
        />
      ))}
    </Box>
  );
}

interface IconTileProps {
  path: string;
  tone?: StatusTone | 'accent';
  /** Side in pixels. */
  size?: number;
}

/** An icon on a tinted square; without a tone it is neutral. */
export function IconTile({ path, tone, size = 36 }: IconTileProps) {
  const palette = tone === undefined || tone === 'accent' ? tone : `status.${tone}`;
  const colours =
    palette === undefined ? { bgcolor: 'sunken.main', color: 'text.secondary' } : { bgcolor: `${palette}.tint`, color: `${palette}.text` };
  return (
    <Box sx={{ width: size, height: size, flexShrink: 0, display: 'grid', placeItems: 'center', borderRadius: size / 16, ...colours }}>
      <Icon path={path} sx={{ fontSize: Math.max(20, size / 2) }} />
    </Box>
  );
}
