import { LIMITS, type OriginalityState, ORIGINALITY_KINDS } from '@autoposter/contracts';
import { useState } from 'react';
import { AccountSelect } from '../../app/account-select';
import { notifyResult } from '../../app/notifications/notify-result';
import { useSelectedAccount } from '../../data/instagram-accounts/use-accounts';
import { useOriginality, useSetOriginalityRule } from '../../data/rights/use-rights';
import { ORIGINALITY_TEXT as TEXT } from '../../text/takedown.text';
import { ActionButton } from '../../ui/actions';
import { LoadState } from '../../ui/feedback';
import { CheckboxField } from '../../ui/fields';
import { parseWholeNumber } from '../../ui/format';
import { Panel, Stat } from '../../ui/layout';
import { Box, TextField } from '../../ui/mui';

const { min, max } = LIMITS.originality.maxRepostShare;
const PERCENT = { min: min * 100, max: max * 100 };

function RuleForm({ state }: { state: OriginalityState }) {
  const save = useSetOriginalityRule();
  const [holdReposts, setHoldReposts] = useState(state.holdReposts);
  const [text, setText] = useState(String(Math.round(state.maxRepostShare * 100)));
  const percent = parseWholeNumber(text, PERCENT);
  const submit = () => {
    if (percent === null) return;
    void notifyResult(save.mutateAsync({ holdReposts, maxRepostShare: percent / 100 }), TEXT.saved, TEXT.failed);
  };
  return (
    <Box sx={{ display: 'grid', gap: 3, justifyItems: 'start' }}>
      <CheckboxField label={TEXT.hold} checked={holdReposts} onChange={setHoldReposts} />
      <TextField
        type="number"
        label={TEXT.greatest}
        value={text}
        error={percent === null}
        helperText={TEXT.range(PERCENT.min, PERCENT.max, state.minPosts)}
        onChange={(event) => setText(event.target.value)}
        slotProps={{ htmlInput: PERCENT }}
      />
      <ActionButton label={TEXT.save} variant="contained" disabled={percent === null} loading={save.isPending} onClick={submit} />
    </Box>
  );
}

/** The estimated share of original posts among recent ones of the selected account, and the originality rule of its queue. */
export function OriginalityView() {
  const { accountId } = useSelectedAccount();
  const originality = useOriginality();
  const state = originality.data;
  return (
    <Panel title={TEXT.title} lead={TEXT.lead}>
      <Box sx={{ display: 'grid', gap: 5, fontSize: 13 }}>
        <AccountSelect />
        <LoadState query={originality} loading={{ rows: 2, height: 88, label: TEXT.loading }} error={TEXT.error} empty={false} />
        {state === undefined ? null : (
          <>
            <Box component="dl" sx={{ m: 0, display: 'grid', gap: 3.5, gridTemplateColumns: 'repeat(auto-fill, minmax(140px, 1fr))' }}>
              {ORIGINALITY_KINDS.map((kind) => (
                <Stat key={kind} small label={TEXT.kinds[kind]} value={state.posts[kind]} />
              ))}
            </Box>
            <div role="status">{TEXT.distance(state)}</div>
            <RuleForm key={`${accountId} ${state.holdReposts} ${state.maxRepostShare}`} state={state} />
          </>
        )}
      </Box>
    </Panel>
  );
}
