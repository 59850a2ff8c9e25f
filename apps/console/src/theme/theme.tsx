import '@mui/material/styles';
import { createTheme, ThemeProvider } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { components } from './components';
import { DARK, FONT, LIGHT, RADIUS, type SchemeTokens, type StatusTone, type ToneColours } from './tokens';
import { CssBaseline } from '../ui/mui';

declare module '@mui/material/styles' {
  interface Palette {
    status: Record<StatusTone, ToneColours>;
    sunken: { main: string };
    line: { main: string; strong: string };
    accent: { tint: string; text: string };
    overlay: { main: string; text: string };
  }
  interface PaletteOptions {
    status?: Palette['status'];
    sunken?: Palette['sunken'];
    line?: Palette['line'];
    accent?: Palette['accent'];
    overlay?: Palette['overlay'];
  }
}

/** `dark` is the background under the pointer: in the dark theme it is lighter, because the label is dark. */
export const palette = (scheme: SchemeTokens) => ({
  primary: { main: scheme.accent, dark: scheme.accentText, contrastText: scheme.onAccent },
  secondary: { main: scheme.muted, contrastText: scheme.paper },
  error: { main: scheme.status.red.dot, dark: scheme.status.red.text, contrastText: scheme.onAccent },
  warning: { main: scheme.status.orange.dot },
  info: { main: scheme.status.blue.dot },
  success: { main: scheme.status.green.dot },
  background: { default: scheme.background, paper: scheme.paper },
  text: { primary: scheme.text, secondary: scheme.muted },
  divider: scheme.line,
  status: scheme.status,
  sunken: { main: scheme.sunken },
  line: { main: scheme.line, strong: scheme.lineStrong },
  accent: { tint: scheme.accentTint, text: scheme.accentText },
  overlay: { main: scheme.overlay, text: scheme.onOverlay },
});

const heading = (fontSize: number, letterSpacing: string) => ({ fontSize, fontWeight: 620, lineHeight: 1.25, letterSpacing });

const theme = createTheme({
  cssVariables: { colorSchemeSelector: '[data-scheme="%s"]' },
  colorSchemes: { light: { palette: palette(LIGHT) }, dark: { palette: palette(DARK) } },
  shape: { borderRadius: RADIUS.unit },
  spacing: 4,
  typography: {
    fontFamily: FONT,
    fontSize: 14,
    fontWeightRegular: 450,
    fontWeightMedium: 550,
    fontWeightBold: 620,
    h1: heading(26, '-0.022em'),
    h2: heading(16, '-0.011em'),
    h3: heading(14, '-0.006em'),
    body1: { fontSize: 14, lineHeight: 1.5 },
    body2: { fontSize: 13, lineHeight: 1.5 },
    caption: { fontSize: 12, lineHeight: 1.45 },
    overline: { fontSize: 11, fontWeight: 600, letterSpacing: '0.06em', lineHeight: 1.6 },
    button: { textTransform: 'none', fontWeight: 580, letterSpacing: 0 },
  },
  components,
});

const COLOR_MODE_KEY = 'autoposter.color-mode';

export function Providers({ children }: { children: ReactNode }) {
  return (
    <ThemeProvider theme={theme} defaultMode="system" modeStorageKey={COLOR_MODE_KEY} disableTransitionOnChange>
      <CssBaseline enableColorScheme />
      {children}
    </ThemeProvider>
  );
}
