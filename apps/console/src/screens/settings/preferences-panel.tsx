import { useColorScheme } from '@mui/material/styles';
import { useId, useState } from 'react';
import { isZone, localZone, NOTICE_SECONDS, setPreferences, usePreferences } from '../../preferences/preferences';
import { SETTINGS_TEXT } from '../../text/operations.text';
import { SHELL_TEXT } from '../../text/shell.text';
import { allZones } from '../../ui/format';
import { Panel } from '../../ui/layout';
import { CheckboxField, SelectField } from '../../ui/fields';
import { Box, FormHelperText, TextField } from '../../ui/mui';

const TEXT = SETTINGS_TEXT.preferences;

/** Time zone of all displayed times; empty means the browser's own. */
function TimeZoneField({ zone, onChange }: { zone: string | null; onChange: (zone: string | null) => void }) {
  const list = useId();
  const [typed, setTyped] = useState(zone ?? '');
  const known = typed === '' || isZone(typed);
  // On blur or Enter only: a new zone re-renders the whole screen.
  const commit = () => {
    if (known && typed !== (zone ?? '')) onChange(typed === '' ? null : typed);
  };
  return (
    <>
      <TextField
        label={TEXT.zone}
        value={typed}
        placeholder={localZone()}
        error={!known}
        helperText={known ? TEXT.zoneHint(zone ?? localZone()) : TEXT.zoneUnknown}
        onChange={(event) => setTyped(event.target.value.trim())}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { list, autoComplete: 'off', spellCheck: false } }}
      />
      <datalist id={list}>
        {allZones().map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

function Preference({ label, hint, on, onChange }: { label: string; hint: string; on: boolean; onChange: (on: boolean) => void }) {
  const id = useId();
  return (
    <Box>
      <CheckboxField label={label} checked={on} onChange={onChange} describedBy={id} />
      <FormHelperText id={id} sx={{ m: 0, ml: 7 }}>
        {hint}
      </FormHelperText>
    </Box>
  );
}

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
          <TimeZoneField zone={preferences.timeZone} onChange={(timeZone) => setPreferences({ timeZone })} />
          <SelectField
            label={TEXT.notice}
            value={String(preferences.noticeSeconds)}
            options={NOTICE_SECONDS.map((seconds): [string, string] => [String(seconds), TEXT.noticeTime(seconds)])}
            helperText={TEXT.noticeHint}
            onChange={(seconds) => setPreferences({ noticeSeconds: Number(seconds) })}
          />
          <Box sx={{ display: 'grid', gap: 2 }}>
            <Preference
              label={TEXT.shortcuts}
              hint={TEXT.shortcutsHint}
              on={preferences.shortcuts}
              onChange={(shortcuts) => setPreferences({ shortcuts })}
            />
            <Preference
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
