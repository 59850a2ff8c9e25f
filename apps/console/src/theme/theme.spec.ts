import { getContrastRatio } from '@mui/material/styles';
import { theme } from './theme';

/** WCAG 2.2, 1.4.3. */
const READABLE = 4.5;

describe.each(['light', 'dark'] as const)('buttons in the %s theme', (scheme) => {
  const palette = theme.colorSchemes[scheme]?.palette;

  it.each(['primary', 'error'] as const)('have a readable label at rest and under the pointer: %s', (name) => {
    const { main = '', dark = '', contrastText = '' } = palette?.[name] ?? {};
    const ratios = [main, dark].map((background) => getContrastRatio(contrastText, background));
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(READABLE);
  });
});
