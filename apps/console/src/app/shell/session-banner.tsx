import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import { SHELL_TEXT } from '../../text/shell.text';
import { SIGN_IN_TEXT } from '../../text/sign-in.text';
import { MessageBar } from '../../ui/message-bar';

/** The session ended while somebody was at work: the page stays as it is, and signing in leads back to it. */
export function SessionBanner({ onSignIn }: { onSignIn: () => void }) {
  return (
    <Box sx={{ maxWidth: 1440, mx: 'auto', px: { xs: 4, sm: 6, lg: 8 }, pt: 4 }}>
      <MessageBar
        tone="red"
        action={
          <Button size="small" variant="contained" onClick={onSignIn} sx={{ flexShrink: 0 }}>
            {SIGN_IN_TEXT.button}
          </Button>
        }
      >
        <strong>{SHELL_TEXT.sessionEnded}</strong> {SHELL_TEXT.sessionEndedHint}
      </MessageBar>
    </Box>
  );
}
