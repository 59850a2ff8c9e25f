import { createTheme, getContrastRatio, type Theme } from '@mui/material/styles';
import { components } from './components';
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

describe('prefers-reduced-motion', () => {
  it('ends each animation in its first frame, including repeated and delayed ones', () => {
    const overrides = components.MuiCssBaseline?.styleOverrides as (theme: Theme) => Record<string, Record<string, object>>;
    const reduced = overrides(createTheme())['@media (prefers-reduced-motion: reduce)'];
    expect(reduced).toEqual({
      '*, *::before, *::after': expect.objectContaining({
        animationDuration: '0.01ms !important',
        animationIterationCount: '1 !important',
        animationDelay: '0s !important',
      }),
    });
  });
});
