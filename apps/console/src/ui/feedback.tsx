import { mdiAlertCircleOutline, mdiAlertOutline, mdiCheckCircleOutline, mdiInformationOutline } from '@mdi/js';
import type { ReactNode } from 'react';
import { TRY_AGAIN } from '../text/shell.text';
import type { StatusTone } from '../theme/tokens';
import { ActionButton } from './actions';
import { Icon, IconTile } from './icons';
import { Box, Skeleton, Span, Stack, Typography } from './mui';

export type MessageTone = Exclude<StatusTone, 'grey'>;
const ICONS: Record<MessageTone, string> = {
  red: mdiAlertCircleOutline,
  orange: mdiAlertCircleOutline,
  green: mdiCheckCircleOutline,
  blue: mdiInformationOutline,
};

/** Red messages are alerts, so that screen readers announce them immediately. */
export function MessageBar({ tone, children, action }: { tone: MessageTone; children: ReactNode; action?: ReactNode }) {
  return (
    <Box
      role={tone === 'red' ? 'alert' : 'status'}
      sx={{
        display: 'flex',
        alignItems: 'flex-start',
        gap: 2.5,
        px: 4,
        py: 3,
        borderRadius: 2,
        fontSize: 13,
        color: `status.${tone}.text`,
        bgcolor: `status.${tone}.tint`,
        overflowWrap: 'anywhere',
      }}
    >
      <Icon path={ICONS[tone]} sx={{ mt: '1px', color: `status.${tone}.dot` }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>{children}</Box>
      {action}
    </Box>
  );
}

/** Replaces a list that could not be loaded. */
export function LoadErrorBar({ children, onRetry }: { children: string; onRetry: () => void }) {
  return (
    <MessageBar tone="red" action={<ActionButton small label={TRY_AGAIN} onClick={onRetry} />}>
      {children}
    </MessageBar>
  );
}

interface LoadingRowsProps {
  rows?: number;
  height?: number;
  /** Overlaid on the first bar, so that it takes no space of its own. */
  label: string;
  columns?: string;
}

const MAX_LABEL_HEIGHT_PX = 48;

export function LoadingRows({ rows = 4, height = 72, label, columns = '1fr' }: LoadingRowsProps) {
  return (
    <Box role="status" sx={{ position: 'relative', display: 'grid', gap: 3, gridTemplateColumns: columns }}>
      <Span
        sx={{ position: 'absolute', insetInline: 0, top: 0, zIndex: 1, px: 4, fontSize: 13, color: 'text.secondary' }}
        style={{ lineHeight: `${Math.min(height, MAX_LABEL_HEIGHT_PX)}px` }}
      >
        {label}
      </Span>
      {Array.from({ length: rows }, (_none, index) => (
        <Skeleton key={index} variant="rounded" height={height} sx={{ bgcolor: 'sunken.main' }} />
      ))}
    </Box>
  );
}

interface EmptyStateProps {
  icon: string;
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
  compact?: boolean;
}

export function EmptyState({ icon, title, hint, action, compact = false }: EmptyStateProps) {
  return (
    <Stack sx={{ alignItems: 'center', textAlign: 'center', gap: 2, py: compact ? 5 : 14, px: 4 }}>
      <Box sx={{ mb: 1 }}>
        <IconTile path={icon} tone="accent" size={compact ? 40 : 56} />
      </Box>
      <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
      {hint === undefined ? null : (
        <Typography variant="body2" component="div" sx={{ color: 'text.secondary', maxWidth: 460 }}>
          {hint}
        </Typography>
      )}
      {action === undefined ? null : <Box sx={{ mt: 2 }}>{action}</Box>}
    </Stack>
  );
}

interface LoadErrorStateProps {
  title: string;
  /** The reason, unless the title states it. */
  hint?: string | undefined;
  onRetry: () => void;
  /** Smaller, above data that was loaded earlier. */
  compact?: boolean;
}

/** Replaces a screen that could not be loaded. */
function LoadErrorState({ title, hint, onRetry, compact = false }: LoadErrorStateProps) {
  return (
    <EmptyState
      compact={compact}
      icon={mdiAlertOutline}
      title={title}
      hint={hint}
      action={<ActionButton label={TRY_AGAIN} variant="contained" onClick={onRetry} />}
    />
  );
}

interface LoadStateProps {
  query: { isPending: boolean; error: Error | null; refetch: () => unknown };
  loading: LoadingRowsProps;
  /** The sentence with the reason; a plain title fills the screen and shows the reason below. */
  error: string | ((message: string) => string);
  /** What an empty list shows; false while there is data. */
  empty?: EmptyStateProps | false;
  /** With the padding of a panel whose content has none. */
  inset?: boolean;
  /** Smaller, above data that was loaded earlier. */
  compact?: boolean;
}

/** The place of data that is loading, could not be loaded, or does not exist. */
export function LoadState({
  query: { isPending, error: failure, refetch },
  loading,
  error,
  empty,
  inset = false,
  compact = false,
}: LoadStateProps) {
  const retry = () => void refetch();
  const framed = (state: ReactNode) => (inset ? <Box sx={{ px: 5, pb: 5 }}>{state}</Box> : state);
  return (
    <>
      {failure !== null && typeof error === 'string' ? (
        <LoadErrorState compact={compact} title={error} hint={failure.message} onRetry={retry} />
      ) : null}
      {failure !== null && typeof error !== 'string' ? framed(<LoadErrorBar onRetry={retry}>{error(failure.message)}</LoadErrorBar>) : null}
      {isPending ? framed(<LoadingRows {...loading} />) : null}
      {!isPending && failure === null && empty ? <EmptyState {...empty} /> : null}
    </>
  );
}
