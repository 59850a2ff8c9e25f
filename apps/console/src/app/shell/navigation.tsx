import { mdiLogoutVariant } from '@mdi/js';
import { ITEM_STAGES, type Overview, type User } from '@autoposter/contracts';
import { NavLink } from 'react-router-dom';
import { useOverview } from '../../data/status/use-status';
import { SHELL_TEXT } from '../../text/shell.text';
import { ActionButton } from '../../ui/actions';
import { count, initials } from '../../ui/format';
import { Icon, Logo } from '../../ui/icons';
import { ADMIN, type NavEntry, NAVIGATION } from '../paths';
import { Avatar, Box, Span, Stack, Typography } from '../../ui/mui';

interface Badge {
  count: number;
  hint: string;
  alert?: boolean;
}

const ALERT = { color: 'status.red.text', bgcolor: 'status.red.tint', borderRadius: 999, px: 1.75, lineHeight: '20px' };

function badgesOf(stages: Overview['stages'] | undefined): Record<string, Badge> {
  if (stages === undefined) return {};
  const failed = ITEM_STAGES.reduce((sum, stage) => sum + stages[stage].failed, 0);
  return {
    '/admin/urls': { count: failed, hint: `${failed} failed`, alert: true },
    '/admin/processed': { count: stages.ready, hint: `${stages.ready} ready` },
    '/admin/instagram-queue': { count: stages.queued, hint: `${stages.queued} in the queue` },
  };
}

function Entry({ entry, badge, onNavigate }: { entry: NavEntry; badge?: Badge | undefined; onNavigate: () => void }) {
  return (
    <Box
      component={NavLink}
      to={entry.path}
      end={entry.path === ADMIN}
      onClick={onNavigate}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2.5,
        minHeight: 36,
        px: 3,
        borderRadius: 2,
        color: 'text.secondary',
        textDecoration: 'none',
        fontWeight: 500,
        transition: 'background-color 120ms, color 120ms',
        '@media (pointer: coarse)': { minHeight: 44 },
        '&:hover': { bgcolor: 'sunken.main', color: 'text.primary' },
        '&.active': { bgcolor: 'accent.tint', color: 'accent.text', fontWeight: 600 },
      }}
    >
      <Icon path={entry.icon} sx={{ fontSize: 19 }} />
      <Span sx={{ flex: 1, minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>{entry.label}</Span>
      {badge === undefined || badge.count === 0 ? null : (
        <Span aria-hidden title={badge.hint} sx={{ fontSize: 12, fontWeight: 600, ...(badge.alert === true ? ALERT : { opacity: 0.85 }) }}>
          {count(badge.count)}
        </Span>
      )}
    </Box>
  );
}

export function Navigation({ user, onLogout, onNavigate }: { user: User; onLogout: () => void; onNavigate: () => void }) {
  const badges = badgesOf(useOverview().data?.stages);
  return (
    <Stack sx={{ height: 1, overflowY: 'auto' }}>
      <Stack direction="row" sx={{ alignItems: 'center', gap: 2.5, px: 5, height: 64, flexShrink: 0 }}>
        <Logo size={26} />
        <Typography component="span" sx={{ fontSize: 16, fontWeight: 660, letterSpacing: '-0.02em' }}>
          Autoposter
        </Typography>
      </Stack>
      <Box component="nav" aria-label={SHELL_TEXT.navigation} sx={{ flex: 1, px: 3, pb: 4 }}>
        {NAVIGATION.map(({ group, entries }) => (
          <Box key={group} sx={{ mb: 4 }}>
            <Typography variant="overline" component="p" sx={{ color: 'text.secondary', px: 3, mb: 1 }}>
              {group}
            </Typography>
            <Stack component="ul" sx={{ listStyle: 'none', m: 0, p: 0, gap: 0.5 }}>
              {entries.map((entry) => (
                <li key={entry.path}>
                  <Entry entry={entry} badge={badges[entry.path]} onNavigate={onNavigate} />
                </li>
              ))}
            </Stack>
          </Box>
        ))}
      </Box>
      <Stack sx={{ gap: 3, p: 4, borderTop: 1, borderColor: 'line.main' }}>
        <Stack direction="row" sx={{ gap: 3, alignItems: 'center', minWidth: 0 }}>
          <Avatar
            {...(user.avatar === null ? {} : { src: user.avatar })}
            alt={user.name}
            slotProps={{ img: { referrerPolicy: 'no-referrer' } }}
            sx={{ width: 34, height: 34, fontSize: 13, fontWeight: 600, bgcolor: 'accent.tint', color: 'accent.text' }}
          >
            {initials(user.name)}
          </Avatar>
          <Box sx={{ minWidth: 0, flex: 1 }}>
            <Typography noWrap sx={{ fontWeight: 580, fontSize: 13 }}>
              {user.name}
            </Typography>
            <Typography noWrap variant="caption" component="p" sx={{ color: 'text.secondary' }}>
              {user.email}
            </Typography>
          </Box>
        </Stack>
        <ActionButton small label={SHELL_TEXT.logout} startIcon={<Icon path={mdiLogoutVariant} />} onClick={onLogout} />
      </Stack>
    </Stack>
  );
}
