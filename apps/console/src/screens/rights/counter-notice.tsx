import { useState } from 'react';
import { notifyResult } from '../../app/notifications/notify-result';
import { useCounterNotice } from '../../data/rights/use-takedown';
import { serverNow } from '../../store/clock';
import { NOTICES_TEXT as TEXT } from '../../text/takedown.text';
import { ActionButton } from '../../ui/actions';
import { DialogFrame } from '../../ui/dialogs';
import { TextField } from '../../ui/mui';

/** Records a counter notice, which opens the window in which posts are restored. */
export function CounterNoticeForm({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  const [sender, setSender] = useState('');
  const [statement, setStatement] = useState('');
  const counter = useCounterNotice();
  const isComplete = sender.trim() !== '' && statement.trim() !== '';
  const save = async () => {
    if (!isComplete) return;
    const body = { id, sender: sender.trim(), statement: statement.trim(), receivedAt: new Date(serverNow()).toISOString() };
    if (await notifyResult(counter.mutateAsync(body), TEXT.counterRecorded, TEXT.failed)) setOpen(false);
  };
  return (
    <>
      <div>
        <ActionButton small label={TEXT.counter} onClick={() => setOpen(true)} />
      </div>
      {open ? (
        <DialogFrame
          title={TEXT.counter}
          onClose={() => setOpen(false)}
          onSubmit={() => void save()}
          actions={
            <>
              <ActionButton label={TEXT.cancel} variant="text" onClick={() => setOpen(false)} />
              <ActionButton label={TEXT.counter} type="submit" variant="contained" disabled={!isComplete} loading={counter.isPending} />
            </>
          }
        >
          <TextField
            autoFocus
            label={TEXT.sender}
            value={sender}
            onChange={(event) => setSender(event.target.value)}
            slotProps={{ htmlInput: { maxLength: 200 } }}
            sx={{ mt: 1 }}
          />
          <TextField
            multiline
            minRows={3}
            label={TEXT.statement}
            value={statement}
            onChange={(event) => setStatement(event.target.value)}
            slotProps={{ htmlInput: { maxLength: 10_000 } }}
          />
        </DialogFrame>
      ) : null}
    </>
  );
}
