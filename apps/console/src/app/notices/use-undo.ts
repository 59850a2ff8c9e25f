import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call, errorText } from '../../data/http/client';
import { MADE, type UndoStep } from '../../data/undo/undo';
import { UNDO_TEXT } from '../../text/shell.text';
import { hideNotice, markUndo, notify, type Notice } from '../../ui/notices/notice-store';

const take = (step: UndoStep, before: unknown): Promise<unknown> => {
  const made = (before as { data?: { _id?: string } } | null)?.data?._id ?? '';
  const params = Object.fromEntries(Object.entries(step.params ?? {}).map(([name, value]) => [name, value === MADE ? made : value]));
  return call(
    { ...step.route, access: 'admin', summary: '' },
    { params, ...(step.body === undefined ? {} : { body: step.body as never }) },
  );
};

/** Takes a change back by its reverse calls and says whether that worked. */
export function useUndo(): (notice: Notice) => void {
  const client = useQueryClient();
  return useCallback(
    (notice) => {
      const { undo } = notice;
      if (undo === undefined || undo.state === 'running') return;
      markUndo(notice.id, 'running');
      const back = undo.steps.reduce((before, step) => before.then((answer) => take(step, answer)), Promise.resolve<unknown>(null));
      void back
        .then(
          () => notify.success(`${UNDO_TEXT.undone}: ${notice.text}`),
          (error: unknown) => notify.failure(UNDO_TEXT.failed(errorText(error))),
        )
        .finally(() => {
          markUndo(notice.id, null);
          hideNotice(notice.id);
          for (const root of undo.refresh) void client.invalidateQueries({ queryKey: [root] });
        });
    },
    [client],
  );
}
