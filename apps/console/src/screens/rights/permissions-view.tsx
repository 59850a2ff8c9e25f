import { CLAIM_TARGETS, type CreatePermissionBody } from '@autoposter/contracts';
import { mdiHandshakeOutline } from '@mdi/js';
import { type FormEvent, useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { useAskPermission, usePermissions } from '../../data/rights/use-rights';
import { PERMISSIONS_TEXT as TEXT } from '../../text/takedown.text';
import { ActionButton } from '../../ui/actions';
import { PaginationBar } from '../../ui/data-table';
import { LoadState } from '../../ui/feedback';
import { ToggleChoice } from '../../ui/fields';
import { Panel } from '../../ui/layout';
import { Box, TextField } from '../../ui/mui';
import { PendingCases } from './pending-cases';
import { PermissionRow } from './permission-row';

const KINDS = CLAIM_TARGETS.map((kind) => [kind, TEXT.kinds[kind]] as const);

/** The post whose author is to be asked; its fields are empty if none is. */
interface AskedPost {
  post: string;
  author: string;
  title: string;
}

/** Drafts a request for a person to send. */
function AskForm({ about: { post, author, title }, onDone }: { about: AskedPost; onDone: () => void }) {
  const ask = useAskPermission();
  const [kind, setKind] = useState<CreatePermissionBody['kind']>(post === '' ? 'author' : 'url');
  const [fields, setFields] = useState({ url: post, author, subreddit: '', grantor: author, contact: '' });
  const [tried, setTried] = useState(false);
  const { named, grantor, contact } = { named: fields[kind].trim(), grantor: fields.grantor.trim(), contact: fields.contact.trim() };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (named === '' || grantor === '') return;
    const asked = ask.mutateAsync({ kind, named, grantor, ...(contact === '' ? {} : { contact }) }).then(onDone);
    void notifyResult(asked, TEXT.drafted, TEXT.failed);
  };
  const inputs = [
    [kind, TEXT.named[kind], 2000],
    ['grantor', TEXT.grantor, 200],
    ['contact', TEXT.contact, 300],
  ] as const;
  return (
    <Panel title={TEXT.add} lead={title === '' ? undefined : title}>
      <Box component="form" noValidate onSubmit={submit} sx={{ display: 'grid', gap: 4, justifyItems: 'start' }}>
        <ToggleChoice label={TEXT.title} value={kind} options={KINDS} onChange={(next) => next !== null && setKind(next)} />
        {inputs.map(([name, label, longest]) => {
          const isMissing = tried && name !== 'contact' && fields[name].trim() === '';
          return (
            <TextField
              key={name}
              fullWidth
              label={label}
              required={name !== 'contact'}
              value={fields[name]}
              error={isMissing}
              helperText={isMissing ? TEXT.needed : undefined}
              onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
              slotProps={{ htmlInput: { maxLength: longest } }}
            />
          );
        })}
        <ActionButton label={TEXT.draft} type="submit" variant="contained" loading={ask.isPending} />
      </Box>
    </Panel>
  );
}

interface PermissionsViewProps {
  page: number;
  setPage: (page: number) => void;
  about: AskedPost;
  /** The request was drafted, or nothing is to be asked. */
  onAsked: () => void;
}

/** Permissions of authors, and the cases that a revoked one opens. */
export function PermissionsView({ page, setPage, about, onAsked }: PermissionsViewProps) {
  const permissions = usePermissions(page);
  const [isOpen, setOpen] = useState(false);
  const asking = isOpen || about.post !== '';
  const close = () => {
    setOpen(false);
    if (about.post !== '') onAsked();
  };
  const posts = permissions.data?.posts ?? [];
  return (
    <Box sx={{ display: 'grid', gap: 5 }}>
      {asking ? <AskForm key={about.post} about={about} onDone={close} /> : null}
      <Panel
        title={TEXT.title}
        lead={TEXT.lead}
        flush
        actions={
          <ActionButton
            label={asking ? TEXT.cancel : TEXT.add}
            variant={asking ? 'outlined' : 'contained'}
            aria-expanded={asking}
            onClick={asking ? close : () => setOpen(true)}
          />
        }
      >
        <LoadState
          inset
          query={permissions}
          loading={{ rows: 3, height: 88, label: TEXT.loading }}
          error={TEXT.error}
          empty={posts.length === 0 && { icon: mdiHandshakeOutline, title: TEXT.empty, hint: TEXT.emptyHint }}
        />
        {posts.map((permission) => (
          <PermissionRow key={permission.id} permission={permission} />
        ))}
        {permissions.data === undefined ? null : (
          <PaginationBar noun={TEXT.counted} pagination={permissions.data.pagination} onPage={setPage} />
        )}
      </Panel>
      <PendingCases />
    </Box>
  );
}
