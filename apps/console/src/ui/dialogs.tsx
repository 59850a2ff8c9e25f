import { type ReactNode, useCallback, useId, useState } from 'react';
import { Button, Dialog, DialogActions, DialogContent, DialogTitle } from './mui';

export interface Question {
  question: string;
  detail?: ReactNode;
  confirm: string;
  danger?: boolean;
}

/** The focus starts on Cancel. A backdrop click is ignored, because the second click of a double click would close the dialog. */
export function ConfirmDialog({ ask, onAnswer }: { ask: Question | null; onAnswer: (yes: boolean) => void }) {
  const id = useId();
  return (
    <Dialog
      open={ask !== null}
      onClose={(_event, reason) => {
        if (reason === 'escapeKeyDown') onAnswer(false);
      }}
      maxWidth="xs"
      fullWidth
      role="alertdialog"
      aria-labelledby={id}
    >
      <DialogTitle id={id} sx={{ fontSize: 16, fontWeight: 620, pb: 2 }}>
        {ask?.question}
      </DialogTitle>
      {ask?.detail === undefined ? null : <DialogContent sx={{ color: 'text.secondary', fontSize: 13 }}>{ask.detail}</DialogContent>}
      <DialogActions sx={{ p: 4, gap: 1 }}>
        <Button variant="outlined" autoFocus onClick={() => onAnswer(false)}>
          Cancel
        </Button>
        <Button variant="contained" color={ask?.danger === true ? 'error' : 'primary'} onClick={() => onAnswer(true)}>
          {ask?.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** `confirm(question, onYes)` and the dialog to render. */
export function useConfirm(): { confirm: (question: Question, onYes: () => void) => void; dialog: ReactNode } {
  const [asked, setAsked] = useState<{ question: Question; onYes: () => void } | null>(null);
  const confirm = useCallback((question: Question, onYes: () => void) => setAsked({ question, onYes }), []);
  const answer = (yes: boolean) => {
    setAsked(null);
    if (yes) asked?.onYes();
  };
  return { confirm, dialog: <ConfirmDialog ask={asked?.question ?? null} onAnswer={answer} /> };
}
