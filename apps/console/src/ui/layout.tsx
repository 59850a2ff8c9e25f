import { Fragment, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { CARD, type StatusTone } from '../theme/tokens';
import { Box, Stack, Typography } from './mui';

const Actions = ({ children }: { children: ReactNode }) =>
  children === undefined ? null : (
    <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
      {children}
    </Stack>
  );

interface PageProps {
  title: string;
  /** One line about the purpose of the screen. */
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A screen with its only h1, which receives the focus when the screen opens. */
export function Page({ title, lead, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // before the first paint: later it could take the focus from a field that the user has clicked
  useLayoutEffect(() => {
    document.title = `${title} · Autoposter`;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <Box component="main" id="content" sx={{ maxWidth: 1440, mx: 'auto', px: { xs: 4, sm: 6, lg: 8 }, pt: { xs: 4, md: 7 }, pb: 16 }}>
      <Stack
        direction={{ xs: 'column', md: 'row' }}
        sx={{ alignItems: { md: 'flex-end' }, justifyContent: 'space-between', gap: 4, mb: { xs: 5, md: 7 } }}
      >
        <Box sx={{ minWidth: 0 }}>
          <Typography variant="h1" ref={heading} tabIndex={-1} sx={{ outline: 'none', '&:focus-visible': { outline: 'none' } }}>
            {title}
          </Typography>
          {lead === undefined ? null : (
            <Typography component="div" sx={{ color: 'text.secondary', mt: 1 }}>
              {lead}
            </Typography>
          )}
        </Box>
        <Actions>{actions}</Actions>
      </Stack>
      {children}
    </Box>
  );
}

interface PanelProps {
  title?: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  tone?: 'plain' | 'danger';
  children?: ReactNode;
  /** Without padding, for tables and lists. */
  flush?: boolean;
}

export function Panel({ title, lead, actions, tone = 'plain', children, flush = false }: PanelProps) {
  const id = useId();
  const head = title !== undefined;
  return (
    <Box
      component="section"
      {...(head ? { 'aria-labelledby': id } : {})}
      sx={tone === 'danger' ? { ...CARD, borderColor: 'status.red.dot' } : CARD}
    >
      {head ? (
        <Stack
          direction="row"
          sx={{ flexWrap: 'wrap', alignItems: 'center', justifyContent: 'space-between', gap: 3, px: 5, pt: 4, pb: flush ? 4 : 0 }}
        >
          <Box sx={{ minWidth: 0 }}>
            <Typography id={id} variant="h2">
              {title}
            </Typography>
            {lead === undefined ? null : (
              <Typography variant="body2" component="div" sx={{ color: 'text.secondary', mt: 0.5 }}>
                {lead}
              </Typography>
            )}
          </Box>
          <Actions>{actions}</Actions>
        </Stack>
      ) : null}
      <Box sx={flush ? {} : { p: 5 }}>{children}</Box>
    </Box>
  );
}

interface StatProps {
  label: string;
  value: ReactNode;
  tone?: StatusTone;
  /** For facts about one object. */
  small?: boolean;
}

export function Stat({ label, value, tone, small = false }: StatProps) {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Typography component="dt" variant="caption" sx={{ color: 'text.secondary', display: 'block' }}>
        {label}
      </Typography>
      <Typography
        component="dd"
        data-number=""
        sx={{
          m: 0,
          ...(small ? { fontWeight: 570 } : { fontSize: 20, fontWeight: 620, letterSpacing: '-0.015em' }),
          color: tone === undefined ? 'text.primary' : `status.${tone}.text`,
        }}
      >
        {value}
      </Typography>
    </Box>
  );
}

export function StatGrid({ children, min = 130 }: { children: ReactNode; min?: number }) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'flex',
        flexWrap: 'wrap',
        ...CARD,
        // A row that is not full stretches its last entries.
        '& > *': { flex: `1 1 ${min}px`, px: 4.5, py: 3.5, boxShadow: (theme) => `1px 1px 0 0 ${theme.vars?.palette.line.main ?? ''}` },
      }}
    >
      {children}
    </Box>
  );
}

interface FactsProps {
  facts: readonly (readonly [name: string, value: ReactNode])[];
  /** Width of the names in pixels, at least. */
  min?: number;
}

/** Names with their values, in two columns. */
export function Facts({ facts, min = 96 }: FactsProps) {
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        display: 'grid',
        gridTemplateColumns: `minmax(${min}px, max-content) minmax(0, 1fr)`,
        columnGap: 4,
        rowGap: 1.5,
        fontSize: 13,
        '& dt': { color: 'text.secondary' },
        '& dd': { m: 0, overflowWrap: 'anywhere' },
      }}
    >
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </Box>
  );
}
