import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { MONO } from '../../../theme/tokens';
import { plural } from '../../../ui/format';
import { lineTone } from '../log-level';

const LINE_PX = 22;
const HEIGHT_PX = 560;
/** This near to the end counts as being at the end. */
const AT_END_PX = 24;

interface LogViewProps {
  lines: readonly string[];
  label: string;
  placeholder: string;
}

/** Lines in a window of their own. At the end it follows; further up the reader stays where they are and is told what came. */
export function LogView({ lines, label, placeholder }: LogViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const seen = useRef(0);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
    paddingEnd: 12,
    initialRect: { width: 800, height: HEIGHT_PX },
  });
  const last = lines.length - 1;
  useEffect(() => {
    if (!atEnd) return;
    seen.current = lines.length;
    if (last >= 0) virtual.scrollToIndex(last, { align: 'end' });
  }, [atEnd, last, lines, virtual]);
  const fresh = Math.max(0, lines.length - seen.current);
  const onScroll = () => {
    const element = box.current;
    if (element !== null) setAtEnd(element.scrollHeight - element.scrollTop - element.clientHeight < AT_END_PX);
  };
  return (
    <Box sx={{ position: 'relative' }}>
      <Box
        ref={box}
        role="log"
        aria-label={label}
        tabIndex={0}
        onScroll={onScroll}
        sx={{
          height: { xs: '60dvh', md: HEIGHT_PX },
          overflow: 'auto',
          bgcolor: 'sunken.main',
          fontFamily: MONO,
          fontSize: 12,
          '&:focus-visible': { outlineOffset: -2 },
        }}
      >
        {lines.length === 0 ? <Box sx={{ p: 6, color: 'text.secondary' }}>{placeholder}</Box> : null}
        <Box sx={{ position: 'relative', minWidth: 'max-content' }} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((row) => {
            const line = lines[row.index] ?? '';
            const tone = lineTone(line);
            return (
              <Box
                key={row.key}
                sx={{
                  position: 'absolute',
                  left: 0,
                  minWidth: 1,
                  height: LINE_PX,
                  lineHeight: `${LINE_PX}px`,
                  pl: 3,
                  pr: 5,
                  whiteSpace: 'pre',
                  borderLeft: 3,
                  borderColor: tone === 'grey' ? 'transparent' : `status.${tone}.dot`,
                  color: tone === 'red' || tone === 'orange' ? `status.${tone}.text` : 'text.primary',
                }}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                {line}
              </Box>
            );
          })}
        </Box>
      </Box>
      {!atEnd && fresh > 0 ? (
        <Button
          size="small"
          variant="contained"
          onClick={() => setAtEnd(true)}
          sx={{ position: 'absolute', bottom: 14, left: '50%', transform: 'translateX(-50%)' }}
        >
          {plural(fresh, 'new line')}
        </Button>
      ) : null}
    </Box>
  );
}
