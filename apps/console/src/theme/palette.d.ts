import '@mui/material/styles';
import type { StatusTone, ToneColours } from './tokens';

interface HousePalette {
  status: Record<StatusTone, ToneColours>;
  sunken: { main: string };
  line: { main: string; strong: string };
  accent: { tint: string; text: string };
  overlay: { main: string; text: string };
}

declare module '@mui/material/styles' {
  interface Palette extends HousePalette {}
  interface PaletteOptions extends Partial<HousePalette> {}
}
