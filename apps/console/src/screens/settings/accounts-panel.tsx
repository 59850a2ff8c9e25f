import { type AccountConnection, type InstagramAccount, type InstagramAccounts, LOGIN_NAMES } from '@autoposter/contracts';
import { accountName } from '@autoposter/domain';
import { notifyResult } from '../../app/notifications/notify-result';
import {
  useAccounts,
  useChangeAccountPermission,
  useConnectAccount,
  useDisconnectAccount,
  useToggleAccount,
} from '../../data/instagram-accounts/use-accounts';
import { SETTINGS_TEXT } from '../../text/operations.text';
import { ActionButton } from '../../ui/actions';
import { type Column, DataTable } from '../../ui/data-table';
import { useConfirm } from '../../ui/dialogs';
import { LoadState, MessageBar, type MessageTone } from '../../ui/feedback';
import { CheckboxField } from '../../ui/fields';
import { formatDateTime } from '../../ui/format';
import { Panel } from '../../ui/layout';
import { Box, Stack } from '../../ui/mui';
import { StatusPill } from '../../ui/status';

const TEXT = SETTINGS_TEXT.accounts;

const TONES: Record<InstagramAccount['status'], 'green' | 'red' | 'grey'> = { ready: 'green', refused: 'red', unchecked: 'grey' };
const CONNECTION_TONES: Record<AccountConnection['status'], MessageTone> = {
  started: 'blue',
  pending: 'blue',
  connected: 'green',
  failed: 'red',
};

function ConnectButtons({ logins }: Pick<InstagramAccounts, 'logins'>) {
  const connect = useConnectAccount();
  return (
    <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
      {logins.map(({ login, missing }) => (
        <ActionButton
          key={login}
          label={TEXT.connect(LOGIN_NAMES[login])}
          disabled={missing !== null}
          loading={connect.isPending && connect.variables === login}
          title={missing === null ? undefined : TEXT.needs(missing)}
          onClick={() => void notifyResult(connect.mutateAsync(login), null, TEXT.connectFailed)}
        />
      ))}
    </Stack>
  );
}

function NeedsPermission({ account }: { account: InstagramAccount }) {
  const change = useChangeAccountPermission();
  const isNeeded = change.isPending ? change.variables.needsPermission : account.needsPermission;
  const send = (needsPermission: boolean) => {
    const changed = change.mutateAsync({ id: account.id, needsPermission });
    void notifyResult(changed, TEXT.permissionChanged(accountName(account), needsPermission), TEXT.changeFailed);
  };
  return <CheckboxField label={TEXT.needsPermission} checked={isNeeded} onChange={send} />;
}

/** The accounts that posts are published on, and their health. */
export function AccountsPanel() {
  const accounts = useAccounts();
  const disconnect = useDisconnectAccount();
  const toggle = useToggleAccount();
  const { confirm, dialog } = useConfirm();
  const { data } = accounts;
  const missing = (data?.logins ?? []).flatMap((login) => (login.missing === null ? [] : [login.missing]));

  const ask = (account: InstagramAccount) =>
    confirm({ question: TEXT.question(accountName(account)), detail: TEXT.consequence, confirm: TEXT.disconnect, danger: true }, () => {
      void notifyResult(disconnect.mutateAsync(account.id), TEXT.disconnected, TEXT.disconnectFailed);
    });

  const columns: Column<InstagramAccount>[] = [
    {
      name: TEXT.account,
      cell: (account) => (
        <>
          <Box sx={{ fontWeight: 580 }}>{accountName(account)}</Box>
          <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
            {account.connectedBy === null ? TEXT.fromEnvironment : TEXT.connectedBy(account.connectedBy)}
          </Box>
        </>
      ),
    },
    { name: TEXT.health, cell: ({ status }) => <StatusPill status={status} tone={TONES[status]} label={TEXT.status[status]} /> },
    {
      name: TEXT.details,
      cell: ({ detail, checkedAt }) => (
        <Box sx={{ overflowWrap: 'anywhere' }}>
          {detail}
          {checkedAt === null ? null : <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{TEXT.checked(formatDateTime(checkedAt))}</Box>}
        </Box>
      ),
    },
    {
      name: TEXT.queue,
      cell: ({ waiting, publishing }) => (
        <>
          {TEXT.waiting(waiting)}
          {publishing.paused ? <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{publishing.reason ?? TEXT.paused}</Box> : null}
        </>
      ),
    },
    { name: TEXT.permission, cell: (account) => <NeedsPermission account={account} /> },
    {
      name: TEXT.actions,
      cell: (account) => (
        <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap' }}>
          <ActionButton
            small
            label={account.publishing.paused ? TEXT.resume : TEXT.pause}
            onClick={() => void notifyResult(toggle.mutateAsync(account), null, TEXT.changeFailed)}
          />
          {account.source === 'environment' ? null : (
            <ActionButton small color="error" label={TEXT.disconnect} onClick={() => ask(account)} />
          )}
        </Stack>
      ),
    },
  ];

  return (
    <Panel title={TEXT.title} lead={TEXT.lead} actions={data === undefined ? undefined : <ConnectButtons logins={data.logins} />}>
      <LoadState query={accounts} loading={{ rows: 1, height: 44, label: TEXT.loading }} error={String} />
      {data === undefined ? null : (
        <Stack sx={{ gap: 4 }}>
          {data.connection === null ? null : (
            <MessageBar tone={CONNECTION_TONES[data.connection.status]}>{data.connection.message}</MessageBar>
          )}
          {data.accounts.length === 0 ? (
            <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{TEXT.none}</Box>
          ) : (
            <DataTable label={TEXT.list} columns={columns} rows={data.accounts} keyOf={({ id }) => id} />
          )}
          {missing.length === 0 ? null : <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{TEXT.needs(missing.join(', '))}</Box>}
        </Stack>
      )}
      {dialog}
    </Panel>
  );
}
