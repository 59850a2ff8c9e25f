import { mdiGoogle } from '@mdi/js';
import Button from '@mui/material/Button';
import { SIGN_IN_TEXT } from '../text/sign-in.text';
import { Icon } from './icon';

export function GoogleButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="contained" size="large" fullWidth startIcon={<Icon path={mdiGoogle} />} onClick={onClick} sx={{ minHeight: 46 }}>
      {SIGN_IN_TEXT.button}
    </Button>
  );
}
