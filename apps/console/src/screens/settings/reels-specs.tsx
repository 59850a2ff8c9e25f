import { LIMITS } from '@autoposter/contracts';
import { SETTINGS_TEXT as TEXT } from '../../text/operations.text';
import { count } from '../../ui/format';
import { Facts, Panel } from '../../ui/layout';
import { Box, Stack } from '../../ui/mui';

const { width, height, minResolution, minFps, maxSeconds, coverWidth, coverHeight } = LIMITS.reels;

export const REELS_SPECS: readonly (readonly [name: string, value: string])[] = [
  ['Resolution', `${width}x${height} (9:16)`],
  ['Minimum resolution', `${minResolution} px`],
  ['Aspect ratio', '1.91:1 to 9:16'],
  ['Format', 'MP4 or MOV'],
  ['Frame rate', `At least ${minFps}fps`],
  ['Duration', `Maximum ${maxSeconds} seconds`],
  ['Caption', `Up to ${count(LIMITS.caption.maxCharacters)} characters`],
  ['Cover photo', `${coverWidth}x${coverHeight}`],
];

const SCALE = 0.115;
const [frameWidth, frameHeight] = [width * SCALE, height * SCALE];
/** Height of the cover: full width, cropped at top and bottom. */
const coverShown = (frameWidth * coverHeight) / coverWidth;
const LEFT = 26;

function ReelFrame() {
  const top = (frameHeight - coverShown) / 2;
  return (
    <Box
      component="svg"
      aria-hidden
      viewBox={`0 0 ${LEFT + frameWidth + 4} ${frameHeight + 28}`}
      sx={{
        display: { xs: 'none', sm: 'block' },
        width: LEFT + frameWidth + 4,
        flexShrink: 0,
        fontSize: 11,
        fontWeight: 580,
        '& text': { fill: (theme) => theme.vars?.palette.text.secondary },
        '& .frame': {
          fill: (theme) => theme.vars?.palette.accent.tint,
          stroke: (theme) => theme.vars?.palette.primary.main,
          strokeWidth: 2,
        },
        '& .cover': { fill: 'none', stroke: (theme) => theme.vars?.palette.accent.text, strokeDasharray: '4 4' },
        '& .measure': { stroke: (theme) => theme.vars?.palette.line.strong },
        '& .inside': { fill: (theme) => theme.vars?.palette.accent.text },
      }}
    >
      <rect className="frame" x={LEFT} y={2} width={frameWidth} height={frameHeight} rx={10} />
      <rect className="cover" x={LEFT} y={2 + top} width={frameWidth} height={coverShown} />
      <text className="inside" x={LEFT + 10} y={top + 18}>
        Cover
      </text>
      <text className="inside" x={LEFT + frameWidth / 2} y={frameHeight / 2 + 8} textAnchor="middle" fontSize={20}>
        9:16
      </text>
      <path className="measure" d={`M14 3V${frameHeight / 2 - 20}M14 ${frameHeight / 2 + 22}V${frameHeight}M10 3h8M10 ${frameHeight}h8`} />
      <text x={14} y={frameHeight / 2 + 2} textAnchor="middle" transform={`rotate(-90 14 ${frameHeight / 2 - 2})`}>
        {height}
      </text>
      <path
        className="measure"
        d={`M${LEFT} ${frameHeight + 16}h${frameWidth / 2 - 22}M${LEFT + frameWidth / 2 + 22} ${frameHeight + 16}h${frameWidth / 2 - 22}`}
      />
      <text x={LEFT + frameWidth / 2} y={frameHeight + 20} textAnchor="middle">
        {width}
      </text>
    </Box>
  );
}

export function SpecsPanel() {
  return (
    <Panel title={TEXT.specs}>
      <Stack direction="row" sx={{ gap: 7, alignItems: 'flex-start' }}>
        <ReelFrame />
        <Box sx={{ flex: 1 }}>
          <Facts facts={REELS_SPECS} min={110} />
        </Box>
      </Stack>
    </Panel>
  );
}
