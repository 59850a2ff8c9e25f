import type { Components, Theme } from '@mui/material/styles';
import { RADIUS } from './tokens';

const focusRing = (theme: Theme) => ({ outline: `2px solid ${theme.vars?.palette.primary.main ?? ''}`, outlineOffset: 2 });

/** Visible focus and targets of at least 36 px (44 px on touch devices). */
export const components: Components<Theme> = {
  MuiCssBaseline: {
    styleOverrides: (theme) => ({
      body: { fontFeatureSettings: '"cv11", "ss03"', WebkitFontSmoothing: 'antialiased' },
      // Numbers that change or stand below each other; in Inter such figures also widen hyphens, so that titles and other text keep their own.
      '.MuiTableCell-alignRight, dd[data-number], time, header, [role=progressbar] ~ *': { fontVariantNumeric: 'tabular-nums' },
      ':focus-visible': focusRing(theme),
      '::selection': { background: theme.vars?.palette.accent.tint },
      a: { color: theme.vars?.palette.accent.text },
      '@media (prefers-reduced-motion: reduce)': {
        '*, *::before, *::after': {
          animationDuration: '0.01ms !important',
          // A repeated animation of that length would flicker and paint each frame.
          animationIterationCount: '1 !important',
          animationDelay: '0s !important',
          transitionDuration: '0.01ms !important',
        },
      },
    }),
  },
  // The ripple is MUI's focus indicator; without it, the focus ring is needed.
  MuiButtonBase: {
    defaultProps: { disableRipple: true },
    styleOverrides: { root: ({ theme }) => ({ fontFamily: 'inherit', '&:focus-visible': focusRing(theme) }) },
  },
  MuiButton: {
    defaultProps: { disableElevation: true, size: 'medium' },
    styleOverrides: {
      root: {
        minHeight: 36,
        paddingInline: 14,
        borderRadius: RADIUS.control,
        whiteSpace: 'nowrap',
        '@media (pointer: coarse)': { minHeight: 44 },
      },
      sizeSmall: { minHeight: 32, paddingInline: 10, fontSize: 13 },
      outlined: ({ theme }) => ({
        borderColor: theme.vars?.palette.line.main,
        color: theme.vars?.palette.text.primary,
        backgroundColor: theme.vars?.palette.background.paper,
        '&:hover': { borderColor: theme.vars?.palette.line.strong, backgroundColor: theme.vars?.palette.sunken.main },
      }),
      text: ({ theme }) => ({ color: theme.vars?.palette.text.primary, '&:hover': { backgroundColor: theme.vars?.palette.sunken.main } }),
    },
  },
  MuiIconButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        borderRadius: RADIUS.control,
        color: theme.vars?.palette.text.secondary,
        '@media (pointer: coarse)': { minWidth: 44, minHeight: 44 },
      }),
    },
  },
  MuiPaper: { defaultProps: { elevation: 0 }, styleOverrides: { root: { backgroundImage: 'none' } } },
  MuiDialog: {
    styleOverrides: {
      paper: ({ theme }) => ({ borderRadius: RADIUS.dialog, border: `1px solid ${theme.vars?.palette.line.main ?? ''}` }),
      paperFullScreen: { borderRadius: 0, border: 0 },
    },
  },
  MuiMenu: {
    styleOverrides: { paper: ({ theme }) => ({ borderRadius: RADIUS.card, border: `1px solid ${theme.vars?.palette.line.main ?? ''}` }) },
  },
  MuiMenuItem: { styleOverrides: { root: { '&:focus-visible': { outlineOffset: -3 } } } },
  MuiTextField: { defaultProps: { size: 'small', fullWidth: true } },
  MuiOutlinedInput: {
    styleOverrides: {
      root: ({ theme }) => ({
        borderRadius: RADIUS.control,
        backgroundColor: theme.vars?.palette.background.paper,
        '& .MuiOutlinedInput-notchedOutline': { borderColor: theme.vars?.palette.line.strong },
      }),
    },
  },
  // The input of a checkbox is transparent, and so is its outline.
  MuiCheckbox: {
    defaultProps: { size: 'small' },
    styleOverrides: {
      root: ({ theme }) => ({ borderRadius: RADIUS.control, '&.Mui-focusVisible': { ...focusRing(theme), outlineOffset: -4 } }),
    },
  },
  MuiTooltip: { defaultProps: { arrow: true, enterDelay: 400 } },
  MuiTab: {
    styleOverrides: {
      root: { minHeight: 44, paddingInline: 14, '&:focus-visible': { outlineOffset: -3 } },
    },
  },
  MuiTableCell: {
    styleOverrides: {
      root: ({ theme }) => ({ borderColor: theme.vars?.palette.line.main, padding: '10px 14px', fontSize: 13 }),
      head: ({ theme }) => ({
        color: theme.vars?.palette.text.secondary,
        fontSize: 12,
        fontWeight: 580,
        whiteSpace: 'nowrap',
        backgroundColor: theme.vars?.palette.background.paper,
      }),
    },
  },
  // On a phone the buttons wrap, so that none is cut off.
  MuiToggleButtonGroup: {
    styleOverrides: {
      root: ({ theme }) => ({
        '@media (max-width: 720px)': {
          flexWrap: 'wrap',
          gap: 6,
          '& .MuiToggleButtonGroup-grouped': { margin: 0, border: `1px solid ${theme.vars?.palette.line.main ?? ''}`, borderRadius: 8 },
        },
      }),
    },
  },
  MuiToggleButton: {
    styleOverrides: {
      root: ({ theme }) => ({
        textTransform: 'none',
        minHeight: 36,
        paddingInline: 12,
        borderColor: theme.vars?.palette.line.main,
        color: theme.vars?.palette.text.secondary,
        '&.Mui-selected': { backgroundColor: theme.vars?.palette.accent.tint, color: theme.vars?.palette.accent.text },
        '&.Mui-selected:hover': { backgroundColor: theme.vars?.palette.accent.tint },
      }),
    },
  },
};
