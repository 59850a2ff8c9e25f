/** All colours of the console. Contrast: text on tint at least 6.5:1, dots on paper at least 4.2:1. */
export type StatusTone = 'grey' | 'orange' | 'blue' | 'green' | 'red';

export interface ToneColours {
  text: string;
  tint: string;
  dot: string;
}

export interface SchemeTokens {
  background: string;
  paper: string;
  sunken: string;
  line: string;
  lineStrong: string;
  text: string;
  muted: string;
  accent: string;
  onAccent: string;
  accentTint: string;
  accentText: string;
  overlay: string;
  onOverlay: string;
  status: Record<StatusTone, ToneColours>;
}

export const LIGHT: SchemeTokens = {
  background: '#F7F7F9',
  paper: '#FFFFFF',
  sunken: '#F0F0F4',
  line: '#E3E4EA',
  lineStrong: '#8A8E9B',
  text: '#17181C',
  muted: '#565A66',
  accent: '#5B3DF5',
  onAccent: '#FFFFFF',
  accentTint: '#EDE9FF',
  accentText: '#4327D6',
  overlay: 'rgba(12, 12, 18, 0.66)',
  onOverlay: '#FFFFFF',
  status: {
    grey: { text: '#4B505C', tint: '#ECEDF1', dot: '#6F7582' },
    orange: { text: '#8A3F00', tint: '#FFEEDD', dot: '#C25E00' },
    blue: { text: '#0B4FA8', tint: '#E2EEFF', dot: '#1B6FE0' },
    green: { text: '#14622F', tint: '#DFF5E6', dot: '#1F8A46' },
    red: { text: '#A3161B', tint: '#FFE5E5', dot: '#D12C32' },
  },
};

export const DARK: SchemeTokens = {
  background: '#0E0F13',
  paper: '#16181E',
  sunken: '#101217',
  line: '#2A2D36',
  lineStrong: '#70758A',
  text: '#ECEDF1',
  muted: '#A3A8B5',
  accent: '#A594FF',
  onAccent: '#14101F',
  accentTint: '#26213F',
  accentText: '#C0B4FF',
  overlay: 'rgba(4, 4, 8, 0.72)',
  onOverlay: '#FFFFFF',
  status: {
    grey: { text: '#C3C7D1', tint: '#262932', dot: '#8E94A2' },
    orange: { text: '#FFB877', tint: '#3A2410', dot: '#F28A2E' },
    blue: { text: '#9CC5FF', tint: '#12294A', dot: '#5A9DF5' },
    green: { text: '#86DDA4', tint: '#102E1C', dot: '#3FBF6E' },
    red: { text: '#FFA3A3', tint: '#3D1416', dot: '#F06468' },
  },
};

/** Pixels. `borderRadius` in styles is a multiple of `unit`: 2 for controls, 2.5 for cards. */
export const RADIUS = { unit: 4, control: 8, card: 10, dialog: 14 } as const;
export const FONT = "'Inter Variable', 'Inter', system-ui, -apple-system, 'Segoe UI', sans-serif";
export const MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace";

/** Read by screen readers only. */
export const VISUALLY_HIDDEN = { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' } as const;

/** A link outside a sentence needs a minimum target height. */
export const STANDALONE_LINK = { display: 'inline-flex', alignItems: 'center', minHeight: 24 } as const;

/** The frame of panels and cards. */
export const CARD = {
  bgcolor: 'background.paper',
  border: 1,
  borderColor: 'line.main',
  borderRadius: 2.5,
  overflow: 'hidden',
  minWidth: 0,
} as const;
