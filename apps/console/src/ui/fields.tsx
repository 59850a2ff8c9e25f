import { MenuItem, TextField } from './mui';

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

interface DateFieldProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

export function DateField({ label, value, onChange }: DateFieldProps) {
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
