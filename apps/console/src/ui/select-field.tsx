import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
  disabled?: boolean;
  helperText?: string | undefined;
}

/** One of a few; an unknown value shows the first. */
export function SelectField({ label, value, options, onChange, disabled = false, helperText }: ChoiceProps) {
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

interface DayFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A whole day, with the browser's own calendar. */
export function DateField({ label, value, onChange }: DayFieldProps) {
  return (
    <TextField
      type="date"
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      slotProps={{ inputLabel: { shrink: true } }}
    />
  );
}
