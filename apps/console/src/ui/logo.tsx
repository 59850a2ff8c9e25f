import Box from '@mui/material/Box';

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
