import Box from '@mui/material/Box';
import { SETTINGS_TEXT as TEXT } from '../../text/operations.text';
import { Page } from '../../ui/page';
import { ApiPanel } from './parts/api-panel';
import { CompatibilityPanel } from './parts/compatibility-panel';
import { PreferencesPanel } from './parts/preferences-panel';
import { SpecsPanel } from './parts/specs-panel';

/** Whether publishing is set up, what a Reel needs, and whether the tools are there. */
export function SettingsScreen() {
  return (
    <Page title={TEXT.title}>
      <Box
        sx={{
          display: 'grid',
          gap: 5,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
        }}
      >
        <Box sx={{ display: 'grid', gap: 5, minWidth: 0, gridTemplateRows: 'auto 1fr' }}>
          <ApiPanel />
          <CompatibilityPanel />
        </Box>
        <SpecsPanel />
        <Box sx={{ gridColumn: '1 / -1', minWidth: 0 }}>
          <PreferencesPanel />
        </Box>
      </Box>
    </Page>
  );
}
