import type { ReactNode } from 'react';
import { Box, Checkbox, FormControlLabel, MenuItem, TextField, ToggleButton, ToggleButtonGroup } from './mui';

interface SelectFieldProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
  disabled?: boolean;
  helperText?: string | undefined;
}

/** An unknown value selects the first option. */
export function SelectField({ label, value, options, onChange, disabled = false, helperText }: SelectFieldProps) {
  const known = options.some(([option]) => option === value) ? value : (options[0]?.[0] ?? '');
  return (
    <TextField
      select
      label={label}
      value={known}
      disabled={disabled}
      helperText={helperText}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      {options.map(([option, text]) => (
        <MenuItem key={option} value={option}>
          {text}
        </MenuItem>
      ))}
    </TextField>
  );
}

export function DateField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      type="date"
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      // browsers offer years of six digits otherwise
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { max: '9999-12-30' } }}
    />
  );
}

interface CheckboxFieldProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  onBlur?: () => void;
  disabled?: boolean;
  /** Id of the element that explains it. */
  describedBy?: string;
}

export function CheckboxField({ label, checked, onChange, onBlur, disabled = false, describedBy }: CheckboxFieldProps) {
  const input = describedBy === undefined ? {} : { slotProps: { input: { 'aria-describedby': describedBy } } };
  return (
    <FormControlLabel
      label={label}
      slotProps={{ typography: { variant: 'body2' } }}
      control={
        <Checkbox
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
          {...(onBlur === undefined ? {} : { onBlur })}
          {...input}
        />
      }
    />
  );
}

interface ToggleChoiceProps<T extends string> {
  label: string;
  value: T | null;
  options: readonly (readonly [value: T, label: ReactNode])[];
  /** `null` when the chosen option was clicked again. */
  onChange: (value: T | null) => void;
}

/** `ToggleChoice` in a form, with its label above it. */
export function LabelledChoice<T extends string>(props: ToggleChoiceProps<T>) {
  return (
    <Box sx={{ display: 'grid', gap: 1, justifyItems: 'start' }}>
      <Box aria-hidden sx={{ fontSize: 12, color: 'text.secondary' }}>
        {props.label}
      </Box>
      <ToggleChoice {...props} />
    </Box>
  );
}

/** One of a few options, as a row of buttons. */
export function ToggleChoice<T extends string>({ label, value, options, onChange }: ToggleChoiceProps<T>) {
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={value}
      aria-label={label}
      sx={{ flexWrap: 'wrap' }}
      onChange={(_event, next: T | null) => onChange(next)}
    >
      {options.map(([option, text]) => (
        <ToggleButton key={option} value={option} sx={{ gap: 1.5 }}>
          {text}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
