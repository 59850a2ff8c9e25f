import type { CreateSubredditBody } from '@autoposter/contracts';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import { Controller, type Control, type FieldError, type Path, type UseFormRegisterReturn } from 'react-hook-form';

interface Range {
  min: number;
  max?: number;
}

/** Rules of a whole number within its limits. */
export const whole = ({ min, max }: Range) => ({
  valueAsNumber: true as const,
  validate: (value: unknown) => Number.isInteger(value) && Number(value) >= min && (max === undefined || Number(value) <= max),
});

/** Properties of a number field with its limits and what is wrong with it. */
export const numberField = (registered: UseFormRegisterReturn, { min, max }: Range, problem: FieldError | undefined) => {
  const range = max === undefined ? `At least ${min}` : `${min} to ${max}`;
  return {
    ...registered,
    type: 'number',
    required: true,
    error: problem !== undefined,
    helperText: problem === undefined ? range : `Please enter a whole number: ${range.toLowerCase()}`,
    slotProps: { htmlInput: { min, ...(max === undefined ? {} : { max }), inputMode: 'numeric' as const } },
  };
};

interface CheckFieldProps {
  control: Control<CreateSubredditBody>;
  name: Path<CreateSubredditBody>;
  label: string;
}

export function CheckField({ control, name, label }: CheckFieldProps) {
  return (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <FormControlLabel
          label={label}
          slotProps={{ typography: { variant: 'body2' } }}
          control={
            <Checkbox checked={field.value === true} onBlur={field.onBlur} onChange={(event) => field.onChange(event.target.checked)} />
          }
        />
      )}
    />
  );
}
