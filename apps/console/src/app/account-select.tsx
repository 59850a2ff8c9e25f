import { accountName } from '@autoposter/domain';
import { useSelectedAccount } from '../data/instagram-accounts/use-accounts';
import { setPreferences } from '../preferences/preferences';
import { ACCOUNT_TEXT as TEXT } from '../text/shell.text';
import { SelectField } from '../ui/fields';
import { Box } from '../ui/mui';

/** Chooses the account on whose queue the screens act; nothing while there is only one. */
export function AccountSelect() {
  const { accounts, accountId } = useSelectedAccount();
  if (accounts.length < 2) return null;
  return (
    <Box sx={{ width: 180 }}>
      <SelectField
        label={TEXT.label}
        value={accountId ?? ''}
        options={accounts.map((account) => [account.id, accountName(account)])}
        onChange={(chosen) => setPreferences({ accountId: chosen })}
      />
    </Box>
  );
}
