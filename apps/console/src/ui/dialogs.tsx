import { mdiClose } from '@mdi/js';
import type { DialogProps } from '@mui/material/Dialog';
import { type FormEvent, type ReactNode, useCallback, useId, useState } from 'react';
import { ActionButton } from './actions';
import { Dialog } from './back-button';
import { Icon } from './icons';
import { Box, DialogActions, DialogContent, DialogTitle, IconButton } from './mui';

interface DialogFrameProps extends Pick<DialogProps, 'maxWidth' | 'fullScreen' | 'role'> {
  title: ReactNode;
  /** Undefined while the dialog must stay open. */
  onClose: (() => void) | undefined;
  /** Buttons at the bottom; a dialog without them has a close button at the top. */
  actions?: ReactNode;
  children?: ReactNode;
  /** For dialogs that show an object instead of a question. */
  large?: boolean;
  /** A click beside the dialog is ignored. */
  modal?: boolean;
  /** Makes the dialog a form. */
  onSubmit?: () => void;
}

export function DialogFrame({ title, onClose, actions, children, large = false, modal = false, onSubmit, ...rest }: DialogFrameProps) {
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit?.();
  };
  const body = (
    <>
      <DialogTitle
        id={id}
        sx={{ fontSize: large ? 18 : 16, fontWeight: 620, overflowWrap: 'anywhere', ...(actions ? { pb: 2 } : { pr: 14 }) }}
      >
        {title}
      </DialogTitle>
      {actions ? null : (
        <IconButton aria-label="Close" autoFocus onClick={onClose} sx={{ position: 'absolute', top: 12, right: 12 }}>
          <Icon path={mdiClose} />
        </IconButton>
      )}
      {children === undefined ? null : (
        <DialogContent
          {...(actions ? {} : { tabIndex: 0 })}
          sx={{
            display: 'grid',
            gap: 4,
            gridTemplateColumns: 'minmax(0, 1fr)',
            alignContent: 'start',
            fontSize: 13,
            // such as the title of a post without a space
            overflowWrap: 'anywhere',
          }}
        >
          {children}
        </DialogContent>
      )}
      {actions ? <DialogActions sx={{ p: 4, gap: 1, flexWrap: 'wrap' }}>{actions}</DialogActions> : null}
    </>
  );
  return (
    <Dialog
      open
      maxWidth="xs"
      fullWidth
      aria-labelledby={id}
      onClose={(_event, reason) => (modal && reason === 'backdropClick' ? undefined : onClose?.())}
      {...rest}
    >
      {onSubmit === undefined ? (
        body
      ) : (
        // the content scrolls, the buttons stay in view
        <Box component="form" noValidate onSubmit={submit} sx={{ display: 'flex', flexDirection: 'column', minHeight: 0 }}>
          {body}
        </Box>
      )}
    </Dialog>
  );
}

export interface Question {
  question: string;
  detail?: ReactNode;
  confirm: string;
  danger?: boolean;
}

/** The focus starts on Cancel. A click beside it is ignored, because the second click of a double click would close the dialog. */
export function ConfirmDialog({ ask, onAnswer }: { ask: Question; onAnswer: (yes: boolean) => void }) {
  return (
    <DialogFrame
      modal
      role="alertdialog"
      title={ask.question}
      onClose={() => onAnswer(false)}
      actions={
        <>
          <ActionButton label="Cancel" autoFocus onClick={() => onAnswer(false)} />
          <ActionButton
            label={ask.confirm}
            variant="contained"
            color={ask.danger === true ? 'error' : 'primary'}
            onClick={() => onAnswer(true)}
          />
        </>
      }
    >
      {ask.detail === undefined ? undefined : <Box sx={{ color: 'text.secondary' }}>{ask.detail}</Box>}
    </DialogFrame>
  );
}

export function useConfirm(): { confirm: (question: Question, onYes: () => void) => void; dialog: ReactNode } {
  const [asked, setAsked] = useState<{ question: Question; onYes: () => void } | null>(null);
  const confirm = useCallback((question: Question, onYes: () => void) => setAsked({ question, onYes }), []);
  const answer = (yes: boolean) => {
    setAsked(null);
    if (yes) asked?.onYes();
  };
  return { confirm, dialog: asked === null ? null : <ConfirmDialog ask={asked.question} onAnswer={answer} /> };
}
