import {
  mdiAlertOutline,
  mdiArrowDownThin,
  mdiCancel,
  mdiCheck,
  mdiCircleHalf,
  mdiClockOutline,
  mdiImageMultipleOutline,
  mdiLinkVariant,
} from '@mdi/js';
import type { ReactNode } from 'react';
import type { StatusTone } from '../theme/tokens';
import { capitalised } from './format';
import { Icon } from './icons';
import { Span } from './mui';

const TONE_ICON: Record<StatusTone, string> = {
  grey: mdiClockOutline,
  orange: mdiCircleHalf,
  blue: mdiArrowDownThin,
  green: mdiCheck,
  red: mdiAlertOutline,
};

/** Grey statuses of what ended or is off; the other grey ones wait. */
const ENDED: ReadonlySet<string> = new Set('cancelled dismissed expired inactive left rejected stopped withdrawn'.split(' '));

const TONE_OF: Record<string, StatusTone> = {
  pending: 'grey',
  cancelled: 'grey',
  inactive: 'grey',
  stopped: 'grey',
  processing: 'orange',
  posting: 'orange',
  running: 'orange',
  downloaded: 'blue',
  scheduled: 'blue',
  completed: 'green',
  posted: 'green',
  active: 'green',
  healthy: 'green',
  failed: 'red',
  unhealthy: 'red',
};

/** Unknown statuses are grey. */
export const toneOf = (status: string): StatusTone => TONE_OF[status.toLowerCase()] ?? 'grey';

interface StatusPillProps {
  status: string;
  tone?: StatusTone;
  label?: string;
}

export function StatusPill({ status, tone = toneOf(status), label = capitalised(status) }: StatusPillProps) {
  return (
    <Span
      data-tone={tone}
      sx={{
        display: 'inline-flex',
        alignItems: 'center',
        gap: 1,
        height: 24,
        pl: 1.5,
        pr: 2.25,
        borderRadius: 999,
        fontSize: 12,
        fontWeight: 580,
        whiteSpace: 'nowrap',
        color: `status.${tone}.text`,
        bgcolor: `status.${tone}.tint`,
      }}
    >
      <Icon
        path={tone === 'grey' && ENDED.has(status) ? mdiCancel : TONE_ICON[tone]}
        sx={{
          fontSize: 14,
          color: `status.${tone}.dot`,
          ...(tone === 'orange'
            ? { animation: 'half-turn 1.6s linear infinite', '@keyframes half-turn': { to: { transform: 'rotate(360deg)' } } }
            : {}),
        }}
      />
      {label}
    </Span>
  );
}

export function Tag({ children, tone, icon }: { children: ReactNode; tone?: StatusTone; icon?: ReactNode }) {
  return (
    <Span
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
    </Span>
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
