import { createTheme, getContrastRatio } from '@mui/material/styles';
import { palette } from './theme';
import { DARK, LIGHT } from './tokens';

/** WCAG 2.2, 1.4.3. */
const READABLE = 4.5;

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
])('buttons in the %s theme', (_name, scheme) => {
  const colours = createTheme({ palette: palette(scheme) }).palette;

  it.each(['primary', 'error'] as const)('have a readable label at rest and under the pointer: %s', (name) => {
    const { main, dark, contrastText } = colours[name];
    const ratios = [main, dark].map((background) => getContrastRatio(contrastText, background));
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(READABLE);
  });
});
