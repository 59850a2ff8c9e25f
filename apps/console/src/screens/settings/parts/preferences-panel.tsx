import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormHelperText from '@mui/material/FormHelperText';
import { useColorScheme } from '@mui/material/styles';
import { useId } from 'react';
import { NOTICE_SECONDS, setPreferences, usePreferences } from '../../../preferences/preferences';
import { SETTINGS_TEXT } from '../../../text/operations.text';
import { SHELL_TEXT } from '../../../text/shell.text';
import { SelectField } from '../../../ui/select-field';
import { Panel } from '../../../ui/panel';
import { ZoneField } from './zone-field';

const TEXT = SETTINGS_TEXT.preferences;

interface TickProps {
  label: string;
  hint: string;
  on: boolean;
  onChange: (on: boolean) => void;
}

function Tick({ label, hint, on, onChange }: TickProps) {
  const id = useId();
  return (
    <Box>
      <FormControlLabel
        label={label}
        slotProps={{ typography: { variant: 'body2' } }}
        control={
          <Checkbox checked={on} onChange={(event) => onChange(event.target.checked)} slotProps={{ input: { 'aria-describedby': id } }} />
        }
      />
      <FormHelperText id={id} sx={{ m: 0, ml: 7 }}>
        {hint}
      </FormHelperText>
    </Box>
  );
}

/** What a person chose for this browser. */
export function PreferencesPanel() {
  const preferences = usePreferences();
  const { mode, setMode } = useColorScheme();
  return (
    <Box id="preferences" sx={{ scrollMarginTop: 72, minWidth: 0 }}>
      <Panel title={TEXT.title} lead={TEXT.lead}>
        <Box
          sx={{
            display: 'grid',
            gap: 5,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
            alignItems: 'start',
          }}
        >
          <SelectField
            label={TEXT.theme}
            value={mode ?? 'system'}
            options={Object.entries(SHELL_TEXT.theme)}
            onChange={(next) => setMode(next as 'light' | 'dark' | 'system')}
          />
          <ZoneField zone={preferences.timeZone} onChange={(timeZone) => setPreferences({ timeZone })} />
          <SelectField
            label={TEXT.notice}
            value={String(preferences.noticeSeconds)}
            options={NOTICE_SECONDS.map((seconds): [string, string] => [String(seconds), TEXT.noticeTime(seconds)])}
            helperText={TEXT.noticeHint}
            onChange={(seconds) => setPreferences({ noticeSeconds: Number(seconds) })}
          />
          <Box sx={{ display: 'grid', gap: 2 }}>
            <Tick
              label={TEXT.shortcuts}
              hint={TEXT.shortcutsHint}
              on={preferences.shortcuts}
              onChange={(shortcuts) => setPreferences({ shortcuts })}
            />
            <Tick
              label={TEXT.autoplay}
              hint={TEXT.autoplayHint}
              on={preferences.autoplay}
              onChange={(autoplay) => setPreferences({ autoplay })}
            />
          </Box>
        </Box>
      </Panel>
    </Box>
  );
}
