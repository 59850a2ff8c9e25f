import Box from '@mui/material/Box';
import { PROCESSED_TEXT } from '../../../text/processed.text';

/** How a post gets here. */
export function Steps() {
  return (
    <Box component="ol" sx={{ m: 0, mt: 1, pl: 5, textAlign: 'left', display: 'inline-block' }}>
      {PROCESSED_TEXT.steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </Box>
  );
}
