import type { InstagramAccount } from '@autoposter/contracts';
import { useSelectedAccount } from '../data/instagram-accounts/use-accounts';
import { setPreferences } from '../preferences/preferences';
import { ACCOUNT_TEXT as TEXT } from '../text/shell.text';
import { SelectField } from '../ui/fields';
import { Box } from '../ui/mui';

export const nameOfAccount = ({ username, userId }: Pick<InstagramAccount, 'username' | 'userId'>): string =>
  username === null ? (userId ?? TEXT.unnamed) : `@${username}`;

/** Chooses the account on whose queue the screens act; nothing while there is only one. */
export function AccountSelect() {
  const { accounts, accountId } = useSelectedAccount();
  if (accounts.length < 2) return null;
  return (
    <Box sx={{ width: 180 }}>
      <SelectField
        label={TEXT.label}
        value={accountId ?? ''}
        options={accounts.map((account) => [account.id, nameOfAccount(account)])}
        onChange={(chosen) => setPreferences({ accountId: chosen })}
      />
    </Box>
  );
}
