import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { call, CallError, errorText } from '../../data/http/client';
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

/** Makes every reverse call, also after one that fails: of many posts the others come back. Resolves to what went wrong, each once. */
async function takeAll(steps: readonly UndoStep[]): Promise<ReadonlySet<string>> {
  const failures = new Set<string>();
  let before: unknown = null;
  let lost = false;
  for (const step of steps) {
    // What was not made cannot be changed.
    if (lost && Object.values(step.params ?? {}).includes(MADE)) continue;
    try {
      before = await take(step, before);
      lost = false;
    } catch (error) {
      failures.add(errorText(error));
      // Nobody answers: asking for each of the others would only keep the reader waiting.
      if (error instanceof CallError && error.status === 0) break;
      lost = true;
    }
  }
  return failures;
}

/** Takes a change back by its reverse calls and says whether that worked. */
export function useUndo(): (notice: Notice) => void {
  const client = useQueryClient();
  return useCallback(
    (notice) => {
      const { undo } = notice;
      if (undo === undefined || undo.state === 'running') return;
      markUndo(notice.id, 'running');
      void takeAll(undo.steps).then((failures) => {
        if (failures.size === 0) notify.success(`${UNDO_TEXT.undone}: ${notice.text}`);
        for (const message of failures) notify.failure(UNDO_TEXT.failed(message));
        markUndo(notice.id, null);
        hideNotice(notice.id);
        for (const root of undo.refresh) void client.invalidateQueries({ queryKey: [root] });
      });
    },
    [client],
  );
}
