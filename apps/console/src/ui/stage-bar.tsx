import type { StatusTone } from '../theme/tokens';
import { Box, Span } from './mui';
import type { SegmentState, StageProgress } from './stage-progress';

const TONE: Record<Exclude<SegmentState, 'todo'>, StatusTone> = { running: 'orange', waiting: 'blue', done: 'green', failed: 'red' };
const WORD: Record<SegmentState, string> = { todo: 'to come', running: 'running', waiting: 'waiting', done: 'done', failed: 'failed' };

const flow = { '@keyframes flow': { from: { backgroundPosition: '200% 0' }, to: { backgroundPosition: '0 0' } } };

/** Narrower bars show the name of the current stage only. */
const NAMES_FIT_PX = 268;

export function StageBar({ rail }: { rail: StageProgress }) {
  const started = rail.segments.some(({ state }) => state !== 'todo');
  const running = rail.segments.findIndex(({ state }) => state !== 'todo' && state !== 'done');
  const current = running === -1 ? rail.segments.findLastIndex(({ state }) => state === 'done') : running;
  const description = rail.segments.map(({ name, state }) => (started ? `${name} ${WORD[state]}` : name)).join(', ');
  return (
    <Box role="img" aria-label={`${rail.sentence}: ${description}`} sx={{ containerType: 'inline-size', width: 1 }}>
      <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(5, 1fr)', gap: '3px' }}>
        {rail.segments.map(({ name, state }, index) => (
          <Box key={name} data-segment={state} sx={{ minWidth: 0 }}>
            <Box
              sx={{
                height: 5,
                borderStartStartRadius: index === 0 ? 4 : 1,
                borderEndStartRadius: index === 0 ? 4 : 1,
                borderStartEndRadius: index === 4 ? 4 : 1,
                borderEndEndRadius: index === 4 ? 4 : 1,
                bgcolor: state === 'todo' ? 'line.main' : `status.${TONE[state]}.dot`,
                transition: 'background-color 160ms',
                ...(state === 'running'
                  ? {
                      ...flow,
                      backgroundImage: (theme) =>
                        `linear-gradient(90deg, transparent 0 35%, ${theme.vars?.palette.background.paper ?? ''} 50%, transparent 65%)`,
                      backgroundSize: '200% 100%',
                      animation: 'flow 1.8s linear infinite',
                    }
                  : {}),
              }}
            />
            <Span
              sx={{
                display: 'block',
                mt: 1,
                fontSize: 11,
                letterSpacing: '-0.015em',
                fontWeight: state === 'todo' || state === 'done' ? 450 : 600,
                color: state === 'todo' || state === 'done' ? 'text.secondary' : `status.${TONE[state]}.text`,
                whiteSpace: 'nowrap',
                [`@container (max-width: ${NAMES_FIT_PX - 1}px)`]: index === current ? {} : { display: 'none' },
              }}
            >
              {name}
            </Span>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
