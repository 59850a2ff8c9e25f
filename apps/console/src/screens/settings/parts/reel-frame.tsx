import { LIMITS } from '@autoposter/contracts';
import Box from '@mui/material/Box';

const { width, height, coverWidth, coverHeight } = LIMITS.reels;
/** Pixels of the drawing for one pixel of the Reel. */
const SCALE = 0.115;
const [frameWidth, frameHeight] = [width * SCALE, height * SCALE];
/** The cover as the profile shows it: as wide as the frame, cut above and below. */
const coverShown = (frameWidth * coverHeight) / coverWidth;
const LEFT = 26;

/** A Reel drawn to scale: its frame with width and height, and the part of it that the cover shows. */
export function ReelFrame() {
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
