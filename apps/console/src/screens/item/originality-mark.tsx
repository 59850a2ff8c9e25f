import { notifyResult } from '../../app/notifications/notify-result';
import { useMarkOriginality, useOriginalityMark } from '../../data/rights/use-rights';
import { ORIGINALITY_TEXT as TEXT } from '../../text/takedown.text';
import { SelectField } from '../../ui/fields';

/** What an administrator says about the originality of the post; it counts in the estimate on the Rights screen. */
export function OriginalityMark({ id }: { id: string }) {
  const mark = useOriginalityMark(id);
  const save = useMarkOriginality();
  if (mark.data === undefined) return null;
  return (
    <SelectField
      label={TEXT.mark}
      value={mark.data.mark ?? ''}
      options={Object.entries(TEXT.marks)}
      helperText={TEXT.markHelp}
      disabled={save.isPending}
      onChange={(next) =>
        void notifyResult(save.mutateAsync({ id, mark: next === '' ? null : (next as 'original' | 'edited') }), TEXT.marked, TEXT.failed)
      }
    />
  );
}
